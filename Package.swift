// swift-tools-version: 6.0
import PackageDescription

// Layers, lowest first; a target depends only on lower ones (docs/architecture.md).
//   1  ThrumPattern    ThrumOSC    ThrumJSON    ThrumRealtime → ThrumRings, CRealtimeShims
//      ThrumTransform → CKissFFT
//   2  ThrumEngine    ThrumFeedback, ThrumAudition (over ThrumPattern)
//      ThrumActuator (over ThrumRealtime, ThrumJSON)    ThrumIdentification → ThrumActuator, ThrumTransform
//   3  ThrumSound → CSndfile, CSoxr
//      ThrumALSA → CALSA        ThrumPlot → CCairo, CKissFFT        ThrumLatency → ThrumTransform
//      ThrumDesktop → CSystemd    ThrumMIDI → CALSA
//   4  Feedback → CoreHaptics (the façade)
//   5  thrum
let package = Package(
  name: "thrum",
  products: [
    .executable(name: "thrum", targets: ["thrum"]),
    .library(name: "Thrum", targets: ["ThrumPattern", "ThrumEngine", "ThrumSound", "ThrumALSA"]),
    .library(name: "CoreHaptics", targets: ["CoreHaptics"]),
    .library(name: "CoreHapticsTesting", targets: ["CoreHapticsTesting"]),
    .library(name: "Feedback", targets: ["Feedback"]),
    .library(name: "FeedbackTesting", targets: ["FeedbackTesting"]),
    .library(name: "ThrumTestCard", type: .dynamic, targets: ["CTestCard"]),
  ],
  targets: [
    // C libraries from the distribution, and the shims Swift needs over them.
    .systemLibrary(name: "CALSA", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "CSndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "CSoxr", providers: [.apt(["libsoxr-dev"])]),
    .systemLibrary(name: "CKissFFT", providers: [.apt(["libkissfft-dev"])]),
    .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CCommandLine"),
    // libcairo2-dev is needed to build, for the types; the library itself is loaded when a picture is drawn.
    .target(name: "CCairo"),
    // libncurses-dev likewise; ncurses is loaded when a screen is opened.
    .target(name: "CNcurses"),
    .target(name: "CRealtimeShims"),

    // 1: the real-time core, and the pattern model.
    .target(name: "ThrumRings"),
    .target(name: "ThrumRealtime", dependencies: ["ThrumRings", "CRealtimeShims"]),
    .target(name: "ThrumPattern"),

    // Messages from other programs.
    .target(name: "ThrumOSC"),

    // From signals to their spectra and back.
    .target(name: "ThrumTransform", dependencies: ["CKissFFT"]),

    // Small files of settings, with the place of every value.
    .target(name: "ThrumJSON"),

    // 2: the control plane.
    .target(name: "ThrumEngine", dependencies: ["ThrumPattern", "ThrumRealtime"]),

    // The names of feedbacks, their patterns, and when they play.
    .target(name: "ThrumFeedback", dependencies: ["ThrumPattern"]),

    // Patterns under a designer's hand: edits that keep the text, recordings, comparisons.
    .target(name: "ThrumAudition", dependencies: ["ThrumPattern"]),

    // Actuators: profiles and the model of one; apart from it, because programs need no spectra, how its resonance is found.
    .target(name: "ThrumActuator", dependencies: ["ThrumRealtime", "ThrumJSON"]),
    .target(
      name: "ThrumIdentification", dependencies: ["ThrumActuator", "ThrumTransform", "CKissFFT"]),

    // 3: sound files, devices and pictures.
    .target(name: "ThrumSound", dependencies: ["ThrumEngine", "ThrumPattern", "CSndfile", "CSoxr"]),
    .target(name: "ThrumALSA", dependencies: ["ThrumEngine", "CALSA", "CSystemd"]),
    // Words that settle how a device is opened, as the command line and the configuration have them.
    .target(name: "ThrumSettings", dependencies: ["ThrumALSA", "ThrumRealtime", "ThrumJSON"]),
    .target(name: "ThrumPlot", dependencies: ["CCairo", "CKissFFT"]),
    .target(name: "ThrumLatency", dependencies: ["ThrumTransform", "CKissFFT"]),
    .target(name: "ThrumDesktop", dependencies: ["ThrumFeedback", "CSystemd"]),
    .target(name: "ThrumMIDI", dependencies: ["CALSA"]),

    // 4: the façade, named so that `import CoreHaptics` compiles.
    .target(
      name: "CoreHaptics",
      dependencies: [
        "ThrumPattern", "ThrumRealtime", "ThrumEngine", "ThrumFeedback", "ThrumSound", "ThrumALSA",
        "ThrumActuator", "ThrumSettings",
      ]),

    // Feedback in one line, by the names that programs for a phone know; an example beside it.
    .target(
      name: "Feedback",
      dependencies: ["CoreHaptics", "ThrumDesktop", "ThrumFeedback", "ThrumPattern", "ThrumEngine"]),
    .executableTarget(name: "feedback-example", dependencies: ["Feedback"]),

    // For the tests of programs that play haptics.
    .target(
      name: "CoreHapticsTesting",
      dependencies: ["CoreHaptics", "ThrumPattern", "ThrumRealtime", "ThrumEngine"]),

    .target(
      name: "FeedbackTesting",
      dependencies: ["Feedback", "CoreHapticsTesting", "CoreHaptics", "ThrumEngine", "ThrumFeedback"]),

    // 5: the command line.
    .executableTarget(
      name: "thrum",
      dependencies: [
        "ThrumEngine", "ThrumPattern", "ThrumFeedback", "ThrumOSC", "ThrumSound", "ThrumALSA", "ThrumPlot",
        "ThrumLatency", "ThrumDesktop", "ThrumJSON", "ThrumAudition", "ThrumActuator",
        "ThrumIdentification", "ThrumMIDI", "ThrumSettings",
        "CCommandLine", "CNcurses", "CSystemd",
      ]),

    // Test assets.
    .target(
      name: "TestSupport", dependencies: ["ThrumPattern", "CKissFFT", "CSystemd"], path: "Tests/TestSupport"),
    .target(name: "CAllocationProbe", path: "Tests/CAllocationProbe"),
    .target(
      name: "CTestCard", path: "Tests/CTestCard",
      cSettings: [.define("PIC")],
      linkerSettings: [.linkedLibrary("asound"), .linkedLibrary("m")]),

    // Benchmarks.
    .target(name: "CBenchmark", path: "Benchmarks/CBenchmark"),
    .executableTarget(
      name: "bench-render", dependencies: ["BenchmarkSupport", "ThrumRealtime", "CBenchmark"],
      path: "Benchmarks/Render"),
    .executableTarget(
      name: "bench-calls", dependencies: ["BenchmarkSupport", "ThrumEngine", "ThrumPattern"],
      path: "Benchmarks/Calls"),
    .executableTarget(
      name: "bench-lifetimes", dependencies: ["CoreHaptics", "CoreHapticsTesting"],
      path: "Benchmarks/Lifetimes"),
    .executableTarget(name: "bench-feedback", dependencies: ["Feedback"], path: "Benchmarks/Feedback"),
    .executableTarget(name: "bench-start", dependencies: ["CoreHaptics"], path: "Benchmarks/Start"),
    .executableTarget(
      name: "bench-codec", dependencies: ["BenchmarkSupport", "ThrumEngine", "ThrumPattern", "CBenchmark"],
      path: "Benchmarks/Codec"),
    .executableTarget(
      name: "bench-osc", dependencies: ["BenchmarkSupport", "ThrumOSC"], path: "Benchmarks/OSC"),

    .target(name: "BenchmarkSupport", path: "Benchmarks/BenchmarkSupport"),
    .target(
      name: "CReference", path: "Benchmarks/CReference", linkerSettings: [.linkedLibrary("asound")]),
    .executableTarget(
      name: "bench-scale",
      dependencies: ["BenchmarkSupport", "ThrumEngine", "ThrumPattern", "ThrumRealtime"],
      path: "Benchmarks/Scale"),
    .executableTarget(
      name: "bench-resampler",
      dependencies: [
        "BenchmarkSupport", "CReference", "CSoxr", "ThrumEngine", "ThrumPattern", "ThrumRealtime",
      ],
      path: "Benchmarks/Resampler"),
    .executableTarget(
      name: "bench-commands",
      dependencies: ["BenchmarkSupport", "ThrumALSA", "ThrumEngine", "ThrumPattern", "ThrumRealtime"],
      path: "Benchmarks/Commands"),
    // Drives the command as a person does, in a terminal of its own.
    .executableTarget(
      name: "bench-audition", dependencies: ["BenchmarkSupport"], path: "Benchmarks/Audition"),
    .executableTarget(
      name: "bench-offline", dependencies: ["ThrumEngine", "ThrumPattern", "ThrumRealtime"],
      path: "Benchmarks/Offline"),
    .executableTarget(
      name: "bench-idle", dependencies: ["BenchmarkSupport", "CReference", "ThrumALSA", "ThrumEngine"],
      path: "Benchmarks/Idle"),

    // Tests mirror the sources.
    .testTarget(name: "BenchmarkSupportTests", dependencies: ["BenchmarkSupport"]),
    .testTarget(name: "ThrumRingsTests", dependencies: ["ThrumRings"]),
    .testTarget(
      name: "ThrumRealtimeTests",
      dependencies: ["ThrumRealtime", "CRealtimeShims", "TestSupport", "CAllocationProbe"]),
    .testTarget(name: "ThrumOSCTests", dependencies: ["ThrumOSC", "TestSupport"]),
    .testTarget(name: "ThrumJSONTests", dependencies: ["ThrumJSON"]),
    .testTarget(name: "ThrumAuditionTests", dependencies: ["ThrumAudition", "ThrumPattern", "TestSupport"]),
    .testTarget(
      name: "ThrumActuatorTests",
      dependencies: ["ThrumActuator", "ThrumEngine", "ThrumPattern", "ThrumRealtime", "TestSupport"]),
    .testTarget(
      name: "ThrumIdentificationTests", dependencies: ["ThrumIdentification", "ThrumActuator", "TestSupport"]),
    .testTarget(name: "ThrumMIDITests", dependencies: ["ThrumMIDI", "TestSupport", "CALSA"]),
    .testTarget(name: "ThrumPatternTests", dependencies: ["ThrumPattern", "TestSupport"]),
    .testTarget(
      name: "ThrumFeedbackTests",
      dependencies: ["ThrumFeedback", "ThrumEngine", "ThrumPattern", "TestSupport"]),
    .testTarget(name: "ThrumEngineTests", dependencies: ["ThrumEngine", "TestSupport"]),
    .testTarget(
      name: "ThrumSoundTests",
      dependencies: ["ThrumSound", "ThrumEngine", "ThrumPattern", "TestSupport", "CSndfile"]),
    .testTarget(
      name: "ThrumALSATests",
      dependencies: [
        "ThrumALSA", "ThrumEngine", "ThrumPattern", "ThrumRealtime", "TestSupport", "CTestCard", "CSystemd",
      ]),
    .testTarget(
      name: "ThrumDesktopTests", dependencies: ["ThrumDesktop", "ThrumFeedback", "TestSupport"]),
    .testTarget(name: "ThrumPlotTests", dependencies: ["ThrumPlot", "TestSupport"]),
    .testTarget(name: "ThrumLatencyTests", dependencies: ["ThrumLatency", "TestSupport"]),
    .testTarget(
      name: "RealtimeProof", dependencies: ["ThrumEngine", "TestSupport", "CAllocationProbe"]),
    .testTarget(name: "SignalTests", dependencies: ["ThrumActuator", "ThrumEngine", "TestSupport"]),
    .testTarget(
      name: "CoreHapticsTests",
      dependencies: [
        "CoreHaptics", "CoreHapticsTesting", "ThrumALSA", "ThrumEngine", "ThrumSound", "TestSupport",
      ]),
    .testTarget(name: "CoreHapticsTestingTests", dependencies: ["CoreHaptics", "CoreHapticsTesting"]),
    .testTarget(
      name: "FeedbackTests",
      dependencies: [
        "Feedback", "FeedbackTesting", "CoreHaptics", "CoreHapticsTesting", "ThrumPattern", "TestSupport",
      ]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "thrum", "ThrumActuator", "ThrumAudition", "ThrumFeedback", "ThrumIdentification",
        "ThrumJSON", "ThrumLatency", "ThrumOSC",
        "TestSupport", "CSystemd",
      ],
      exclude: ["HelpTexts"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu11
)

// Gates that run a few suites name them in THRUM_SUITES: what those need is built then, and nothing else.
if let suites = Context.environment["THRUM_SUITES"]?.split(separator: ",").map(String.init) {
  var needed = Set(suites)
  var known = 0
  while known < needed.count {
    known = needed.count
    for target in package.targets where needed.contains(target.name) {
      for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { product in
    guard let library = product as? Product.Library else { return true }
    return !needed.isSuperset(of: library.targets)
  }
}

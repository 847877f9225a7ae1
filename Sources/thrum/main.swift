import Glibc
import ThrumPattern

// As bytes: what is not UTF-8 would be lost in `CommandLine.arguments`.
let words = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
  CommandLine.unsafeArgv[index].map { word in
    FileName(bytes: UnsafeRawBufferPointer(start: word, count: strlen(word)))
  }
}
holdStandardStreams()
exit(runThrum(words).status)

import Glibc
import ThrumPattern

// As bytes: what is not UTF-8 would be lost in `CommandLine.arguments`.
let words = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
  CommandLine.unsafeArgv[index].map { word in
    FileName(bytes: UnsafeRawBufferPointer(start: word, count: strlen(word)))
  }
}
holdStandardStreams()
// A file that would be larger than `ulimit -f` allows is an error that is told, and no reason to leave half a file behind.
signal(SIGXFSZ, SIG_IGN)
exit(runThrum(words).status)

import Glibc

exit(runThrum(Array(CommandLine.arguments.dropFirst())).status)

/// The version that `--version` tells.
let version = "0.1.0"

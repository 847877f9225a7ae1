# Takes the code out of an article's text, one file a block: Swift that uses Core Haptics, and pattern files.
#
#   awk -v folder=OUT -v stem=NAME [-v wanted=PATTERN] -f extract.awk ARTICLE
#
# With PATTERN it is the Swift that matches it instead, such as code of user interfaces.
#
# Articles come with and without fences. A line is code when it is indented or begins like a line of Swift; a block is a
# run of such lines, and blank lines within it where a brace is open or code follows.

BEGIN { if (wanted == "") wanted = "CHHaptic|playPattern" }

function starts_code(line) {
  if (line ~ /^(Button|WKInterfaceDevice|#if|#endif)/) return 1
  return line ~ /^[ \t]+[^ \t]/ || line ~ /^(import|func|let|var|guard|struct|final class|class|actor|enum|extension|protocol|try|if|for|do|return|private|public|init) ?/ && line !~ /[.:]$/ || line ~ /^[@.})\]]/ || line ~ /^\/\//
}

function finish(   name) {
  sub(/\n+$/, "\n", block)
  if (block ~ wanted) {
    name = sprintf("%s/%s-%02d.swift", folder, stem, ++count)
    printf "%s", block > name
    close(name)
  }
  block = ""
  pending = ""
  depth = 0
}

/^```/ { finish(); next }

# A pattern file: a brace of its own, to the one that closes it. It is named by the last resource that code asked for, or
# that code asks for next.
json == "" && block == "" && /^\{$/ { json = $0 "\n"; next }
json != "" {
  json = json $0 "\n"
  if ($0 == "}") { patterns[++patternCount] = json; json = "" }
  next
}

/^[ \t]*$/ { if (block != "") pending = pending "\n"; next }

starts_code($0) || depth > 0 {
  # A new import begins another sample.
  if ($0 ~ /^import / && block != "" && block !~ /^import [A-Za-z]+\n$/) finish()
  block = block pending $0 "\n"
  pending = ""
  line = $0
  depth += gsub(/[{(\[]/, "", line) - gsub(/[})\]]/, "", line)
  next
}

{ if (block != "") finish() }

END {
  finish()
  for (index_ = 1; index_ <= patternCount; index_++) {
    name = sprintf("%s/%s-%02d.ahap", folder, stem, index_)
    printf "%s", patterns[index_] > name
    close(name)
  }
}

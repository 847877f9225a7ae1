#!/usr/bin/env bash
# Every figure of docs/performance.md, in its order. On a machine that has nothing else to do: the figures are worth what the
# quiet is worth, and the load is printed first and last.
#
#   Benchmarks/all.sh                 quick: about eight minutes once everything is built
#   Benchmarks/all.sh --full          as many trials as percentiles of a thousandth need: about half an hour
#   Benchmarks/all.sh --markdown      for a page
#   Benchmarks/all.sh --into FILE     the same, between the lines `<!-- figures -->` and `<!-- end of figures -->` of a page
#   Benchmarks/all.sh --only NAME     one part; the names are in the output
#
# Exit 1 where a part could not run. Whether bars hold is told, not judged: that is what .ci/run does.
set -euo pipefail
cd "$(dirname "$0")/.."
markdown='' full='' only='' into=''
while [ $# -gt 0 ]; do
  case $1 in
    --markdown) markdown=yes ;;
    --full) full=yes ;;
    --into)
      into=${2:-}
      if [ "$(grep -cE '^<!-- (figures|end of figures) -->$' "$into")" != 2 ]; then
        echo "$into has no place for figures" >&2
        exit 2
      fi
      markdown=yes
      shift
      ;;
    --only)
      only=${2:-}
      shift
      ;;
    *)
      echo "usage: Benchmarks/all.sh [--full] [--markdown|--into FILE] [--only NAME]" >&2
      exit 2
      ;;
  esac
  shift
done
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
failed=()

# part NAME TITLE COMMAND...: runs it and prints what it says.
part() {
  local name=$1 title=$2 began=$SECONDS code=0
  shift 2
  [ -z "$only" ] || [ "$only" = "$name" ] || return 0
  echo "$name ..." >&2
  timeout --kill-after=10 1800 "$@" </dev/null >"$logs/$name" 2>"$logs/err" || code=$?
  if [ -n "$markdown" ]; then
    # shellcheck disable=SC2016  # The ticks are Markdown.
    printf '### %s\n\n`%s` (%d s)\n\n' "$title" "$*" $((SECONDS - began))
    if grep -q '^| ---' "$logs/$name"; then cat "$logs/$name"; else
      printf '```text\n'
      cat "$logs/$name"
      printf '```\n\n'
    fi
  else
    printf '== %s: %s (%s, %d s)\n' "$name" "$title" "$*" $((SECONDS - began))
    cat "$logs/$name"
    echo
  fi
  if [ "$code" != 0 ]; then
    failed+=("$name")
    echo "$name failed with $code"
    tail -n 20 "$logs/err"
  fi
}

# bench NAME TITLE PRODUCT [ARGUMENT...]: a benchmark of the package.
bench() {
  local name=$1 title=$2 product=$3
  shift 3
  part "$name" "$title" swift run -c release "$product" "$@"
}

machine() {
  echo "$(date -u '+%Y-%m-%d %H:%M UTC'); $(nproc) cores of $(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo); Linux \
$(uname -r); $(swift --version 2>/dev/null | grep -oE 'Swift version [0-9.]+' | head -n 1); load $(cut -d ' ' -f 1-3 /proc/loadavg)"
}

# word FILE PATTERN N: the Nth word of the first line of a part's output that has a pattern; a dash where there is none.
word() { [ -f "$logs/$1" ] && awk -v p="$2" -v n="$3" '$0 ~ p { print $n; found = 1; exit } END { if (!found) print "–" }' "$logs/$1" || echo –; }
# after FILE PATTERN: the number behind a pattern.
after() { { grep -oE "$2 ?[0-9.]+" "$logs/$1" 2>/dev/null || echo –; } | head -n 1 | grep -oE '([0-9.]+|–)$'; }
# beside PEER COUNT: how many times a peer's speed Thrum's library has, sines at 8 kHz.
beside() {
  awk -F'[(,)]' -v peer="$1" -v column="$2" '
    /sines, 8000 Hz/ { inside = 1 }
    /sines, 48000 Hz/ { exit }
    inside && index($0, peer) { if ($(3 * column) + 0 > 0) printf "%.2f ×", 1 / $(3 * column); exit }' "$logs/peers" 2>/dev/null
}
# The bars that these benchmarks print, a line each.
bars() {
  local p99
  p99=$(after commands 'p99 is')
  cat <<TABLE
| what | bar | figure | part |
| --- | --- | --- | --- |
| live command to the first device frame that differs, 48 kHz, profile none, worst of start, parameter and stop | p50 within 1 ms + 0.75 ms + the buffer: 228 frames at 1 ms, 804 at 5 ms | p50 $(awk '$1 == 1 && $2 == "ms" && $4 > m { m = $4 } END { print m }' "$logs/commands" 2>/dev/null) and $(awk '$1 == 5 && $2 == "ms" && $4 > m { m = $4 } END { print m }' "$logs/commands" 2>/dev/null) frames | commands |
| its spread | p99 within 1 period of p50 | $p99 of a period | commands |
| render cost, everything included, at 128 and 1,024 voices | ≥ 0.5 × the C bank | $(after render 'everything included at 128 voices:') ×, $(after render 'everything included at 1024 voices:') × | render |
| the same beside scsynth, whole process | ≥ 1.5 × at 128 voices, ≥ 2 × at 1,024 | $(beside scsynth 3), $(beside scsynth 4) | peers |
| AHAP to WAV, 30 s with 10,000 taps | ≤ 2 × the C scanner | $(after command-line '10,000 taps take') × | command-line |
| idle engine at a period of 1 ms | ≤ 1.5 × the C loop | $(after idle 'idle-engine-per-c-loop:') × | idle |
| the same shut down | 0 | $(after idle 'shut-down-processor-percent:') % of a core, the clock's own | idle |
| \`start()\` beyond the card | ≤ 5 ms | p50 $(word start '^start, output closed' 5) ms closed, $(word start '^start, output open' 5) ms open | start |
| the first play beyond later ones | 0 | p50 $(word start '^first play' 4) ms for the call | start |
| AHAP of 10,000 events, parsed and compiled | ≤ 20 ms | $(word codec '^10000 ' 5) ms | codec |
| its memory | ≤ 10 × the file | $(word codec '^10000 ' 6) × | codec |
| \`thrum check\` | ≤ 15 ms, whole process | p50 $(word command-line '^thrum check' 5) ms | command-line |
| \`thrum render\` of 30 s | ≤ 50 ms, whole process | p50 $(word command-line '^thrum render 30 s  ' 6) ms | command-line |
TABLE
  echo
}

parts() {
  local smoke=(--smoke) trials=300 seconds=10 peers=()
  if [ -n "$full" ]; then smoke=() trials=2000 seconds=60 peers=(--full); fi
  if [ -n "$markdown" ]; then peers+=(--markdown); fi
  bench render "Render cost beside the C bank" bench-render "${smoke[@]}"
  part peers "Beside other programs" Benchmarks/peers.sh "${peers[@]}"
  bench commands "From a command to the first frame that differs" bench-commands --trials "$trials"
  bench idle "An idle engine beside a C loop" bench-idle "${smoke[@]}"
  part wake-ups "How late the render thread is woken" Benchmarks/wake-ups.sh "$seconds" 1
  bench calls "One call of the render path" bench-calls
  bench start "Starting an engine" bench-start
  part command-line "The quick commands" Benchmarks/command-line.sh
  bench codec "AHAP to a schedule" bench-codec "${smoke[@]}"
  bench resampler "To the device's rate" bench-resampler
  bench scale "Growth and memory" bench-scale
  bench lifetimes "Players and sounds that come and go" bench-lifetimes
  swift build -c release --product thrum >&2
  bench audition "From a key and from a save to the first frame, at a period of 5 ms" bench-audition "${smoke[@]}"
  [ -z "$full" ] || bench feedback "How soon a tap of a feedback generator sounds" bench-feedback
}

# On a page the bars come first, on a terminal the parts as they are measured.
everything() {
  echo "before: $(machine)"
  echo
  if [ -z "$markdown" ]; then
    parts
    [ -n "$only" ] || bars
  else
    parts >"$logs/parts"
    if [ -z "$only" ]; then
      printf '## The bars\n\n'
      bars
    fi
    printf '## The figures\n\n'
    cat "$logs/parts"
  fi
  echo "after: $(machine)"
}

swift build -c release >&2
swift build -c release --product ThrumTestCard >&2
if [ -n "$into" ]; then
  {
    echo
    everything
    echo
  } >"$logs/page"
  awk -v figures="$logs/page" '
    /^<!-- end of figures -->$/ { while ((getline line <figures) > 0) print line; inside = 0 }
    !inside
    /^<!-- figures -->$/ { inside = 1 }' "$into" >"$logs/whole"
  cat "$logs/whole" >"$into"
else
  everything
fi
[ ${#failed[@]} -eq 0 ] || {
  echo "failed: ${failed[*]}"
  exit 1
}

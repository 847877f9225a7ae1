#!/usr/bin/env bash
# Every figure of docs/performance.md, in its order. On a machine that has nothing else to do: the figures are worth what the
# quiet is worth, and the load is printed first and last.
#
#   Benchmarks/all.sh                 quick: about eight minutes once everything is built
#   Benchmarks/all.sh --full          as many trials as percentiles of a thousandth need: about half an hour
#   Benchmarks/all.sh --markdown      for docs/performance.md
#   Benchmarks/all.sh --only NAME     one part; the names are in the output
#
# Exit 1 where a part could not run. Whether bars hold is told, not judged: that is what .ci/run does.
set -euo pipefail
cd "$(dirname "$0")/.."
markdown='' full='' only=''
while [ $# -gt 0 ]; do
  case $1 in
    --markdown) markdown=yes ;;
    --full) full=yes ;;
    --only)
      only=${2:-}
      shift
      ;;
    *)
      echo "usage: Benchmarks/all.sh [--full] [--markdown] [--only NAME]" >&2
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
  timeout --kill-after=10 1800 "$@" </dev/null >"$logs/out" 2>"$logs/err" || code=$?
  if [ -n "$markdown" ]; then
    # shellcheck disable=SC2016  # The ticks are Markdown.
    printf '### %s\n\n`%s` (%d s)\n\n' "$title" "$*" $((SECONDS - began))
    if grep -q '^| ---' "$logs/out"; then cat "$logs/out"; else
      printf '```text\n'
      cat "$logs/out"
      printf '```\n\n'
    fi
  else
    printf '== %s: %s (%s, %d s)\n' "$name" "$title" "$*" $((SECONDS - began))
    cat "$logs/out"
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

swift build -c release >&2
swift build -c release --product ThrumTestCard >&2
machine
echo
smoke=(--smoke) trials=300 seconds=10 peers=()
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
machine
[ ${#failed[@]} -eq 0 ] || {
  echo "failed: ${failed[*]}"
  exit 1
}

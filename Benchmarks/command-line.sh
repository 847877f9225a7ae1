#!/usr/bin/env bash
# Whole-process times of the quick commands, release build with the Swift libraries linked in.
#
#   Benchmarks/command-line.sh            p50, p90, max of each over 41 runs
#   Benchmarks/command-line.sh --check    exit 1 where a median is over its bar
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${RUNS:-41}
scratch=${SCRATCH_PATH:-.build/static}
swift build -c release --static-swift-stdlib --scratch-path "$scratch" --product thrum >&2
thrum=$scratch/release/thrum
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# 30 s: a tone under curves every second, and four taps a second.
{
  printf '{ "Version": 1.0, "Pattern": ['
  for second in $(seq 0 29); do
    printf '{ "Event": { "Time": %d.0, "EventType": "HapticContinuous", "EventDuration": 0.9 } },' "$second"
    printf '{ "ParameterCurve": { "ParameterID": "HapticIntensityControl", "Time": %d.0, "ParameterCurveControlPoints": [' "$second"
    printf '{ "Time": 0.0, "ParameterValue": 0.2 }, { "Time": 0.5, "ParameterValue": 1.0 } ] } },'
    for tap in 1 3 5 7; do
      printf '{ "Event": { "Time": %d.%d, "EventType": "HapticTransient" } },' "$second" "$tap"
    done
  done
  printf '] }'
} >"$folder/thirty-seconds.ahap"

# Milliseconds of each run, from the shell's own clock.
measure() {
  local name=$1 bar=$2
  shift 2
  local times=()
  for _ in $(seq "$runs"); do
    local start end
    start=$(date +%s%N)
    "$@" >/dev/null 2>&1
    end=$(date +%s%N)
    times+=($(((end - start) / 10000)))
  done
  local sorted
  mapfile -t sorted < <(printf '%s\n' "${times[@]}" | sort -n)
  local p50=${sorted[$((runs / 2))]} p90=${sorted[$((runs * 9 / 10))]} max=${sorted[$((runs - 1))]}
  printf '%-28s p50 %d.%02d ms  p90 %d.%02d ms  max %d.%02d ms  n %d  bar %d ms\n' "$name" \
    $((p50 / 100)) $((p50 % 100)) $((p90 / 100)) $((p90 % 100)) $((max / 100)) $((max % 100)) "$runs" "$bar"
  if [ $((p50 / 100)) -ge "$bar" ]; then failed=1; fi
}

failed=0
measure "true (the shell's own cost)" 1000 /bin/true
measure "thrum check heartbeat" 15 "$thrum" check patterns/heartbeat.ahap
measure "thrum render 30 s" 50 "$thrum" render "$folder/thirty-seconds.ahap" -o "$folder/out.wav"
measure "thrum render 30 s, 48 kHz" 1000 "$thrum" render "$folder/thirty-seconds.ahap" --rate 48000 -o "$folder/out.wav"
[ "${1:-}" != --check ] || exit "$failed"

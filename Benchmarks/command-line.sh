#!/usr/bin/env bash
# Whole-process times of the quick commands, release build with the Swift libraries linked in.
#
#   Benchmarks/command-line.sh            p50, p90, max of each over 41 rounds
#   Benchmarks/command-line.sh --check    exit 1 where a median is over its bar and the machine itself is not slow
#
# Beside them, interleaved: the shell's own cost of a process, and a C program that renders as many voices as long to a WAV file. The
# bars are times, for a machine that has nothing else to do. Where the shell takes more than 3 ms to start and wait for
# /bin/true, which takes one on such a machine, the bars are stretched by as much.
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

# 30 s with 10,000 taps.
awk 'BEGIN {
  printf "{ \"Version\": 1.0, \"Pattern\": [\n"
  for (i = 0; i < 10000; i++)
    printf "{ \"Event\": { \"Time\": %.4f, \"EventType\": \"HapticTransient\", \"EventParameters\": [ { \"ParameterID\": \"HapticIntensity\", \"ParameterValue\": %.3f }, { \"ParameterID\": \"HapticSharpness\", \"ParameterValue\": %.3f } ] } }%s\n", i * 0.003, 0.1 + i % 97 / 200, i % 89 / 89, i < 9999 ? "," : ""
  printf "] }\n"
}' >"$folder/taps.ahap"

# The limits: one voice for 30 s, and a scanner that knows the keys of a tap, in C.
compiler=$(dirname "$(readlink -f "$(command -v swift)")")/clang
[ -x "$compiler" ] || compiler=cc
"$compiler" -O3 -ffp-contract=off -o "$folder/bank" Benchmarks/Peers/bank.c Benchmarks/Peers/tones.c -lm
"$compiler" -O3 -o "$folder/scan" Benchmarks/Peers/scan.c -lm

names=("true, the shell's own cost" "C program, 30 s of a tone" "thrum --version" "thrum check heartbeat" "thrum render 30 s" "thrum render 30 s, 48 kHz"
  "C scanner, 10,000 taps" "thrum render 10,000 taps")
bars=(0 0 0 15 50 0 0 0)
# run INDEX: one of them, its output gone.
run() {
  case $1 in
    0) /bin/true ;;
    1) "$folder/bank" tones 1 8000 30 1 "$folder/bank.wav" ;;
    2) "$thrum" --version ;;
    3) "$thrum" check patterns/heartbeat.ahap ;;
    4) "$thrum" render "$folder/thirty-seconds.ahap" -o "$folder/out.wav" ;;
    5) "$thrum" render "$folder/thirty-seconds.ahap" --rate 48000 -o "$folder/out.wav" ;;
    6) "$folder/scan" "$folder/taps.ahap" "$folder/scan.wav" ;;
    7) "$thrum" render "$folder/taps.ahap" -o "$folder/out.wav" ;;
  esac >/dev/null 2>&1
}
# Hundredths of a millisecond, from the shell's own clock.
for _ in $(seq "$runs"); do
  for index in "${!names[@]}"; do
    start=$(date +%s%N)
    run "$index"
    end=$(date +%s%N)
    echo $(((end - start) / 10000)) >>"$folder/times.$index"
  done
done

failed=0
hundredths() { printf '%d.%02d' $(($1 / 100)) $(($1 % 100)); }
for index in "${!names[@]}"; do
  mapfile -t sorted < <(sort -n "$folder/times.$index")
  p50=${sorted[$((runs / 2))]}
  if [ "$index" = 0 ]; then floor=$p50; fi
  if [ "$index" = 6 ]; then scanner=$p50; fi
  bar=$((bars[index] * 100))
  if [ "$floor" -gt 300 ]; then bar=$((bar * floor / 300)); fi
  printf '%-28s p50 %s ms  p90 %s ms  max %s ms  n %d  times true %s%s\n' "${names[$index]}" "$(hundredths "$p50")" \
    "$(hundredths "${sorted[$((runs * 9 / 10))]}")" "$(hundredths "${sorted[$((runs - 1))]}")" "$runs" \
    "$(hundredths $((p50 * 100 / floor)))" "$([ "$bar" = 0 ] || echo "  bar $(hundredths "$bar") ms")"
  if [ "$bar" -gt 0 ] && [ "$p50" -ge "$bar" ]; then failed=1; fi
done
echo "10,000 taps take $(hundredths $((p50 * 100 / scanner))) times the C scanner (bar 2)"
[ "${1:-}" != --check ] || exit "$failed"

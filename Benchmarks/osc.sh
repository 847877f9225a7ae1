#!/usr/bin/env bash
# A flood of OSC against `thrum serve --osc` on the fault card at a period of 1 ms.
#
#   Benchmarks/osc.sh [SECONDS [MESSAGES-A-SECOND]]     default: 30 s of 10,000 a second
#
# It ends with 1 where the last commands are lost, packets are dropped by the kernel or memory grows by more than 8 MiB. Xruns are told.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-30} rate=${2:-10000}
for product in thrum bench-osc ThrumTestCard; do swift build -c release --product "$product" 2>&1 | tail -n 1; done
bin=$(realpath "$(swift build -c release --show-bin-path)")
work=$(mktemp -d)
serve=''
trap 'kill "$serve" 2>/dev/null || true; rm -rf "$work"' EXIT
cat >"$work/asound.conf" <<CONF
pcm_type.thrum_test_card { lib "$bin/libThrumTestCard.so" }
pcm.card { type thrum_test_card rates "48000" channels "2" }
CONF
port=$((20000 + RANDOM % 20000))
ALSA_CONFIG_PATH="$work/asound.conf" "$bin/thrum" serve --osc "$port" -d card -p 1 2>"$work/log" &
serve=$!
for _ in $(seq 400); do
  grep -q 'OSC on' "$work/log" && break
  kill -0 "$serve" 2>/dev/null || break
  sleep 0.05
done
grep -q 'OSC on' "$work/log" || { echo "thrum serve does not listen:"; cat "$work/log"; exit 1; }
sleep 0.5
resident() { awk '/VmRSS/ { print $2 }' "/proc/$serve/status"; }
used() { awk '{ print $14 + $15 }' "/proc/$serve/stat"; }
memory=$(resident) time=$(used)
"$bin/bench-osc" "$port" "$seconds" "$rate"
grown=$(($(resident) - memory))
dropped=$(awk -v port="$(printf ':%04X$' "$port")" '$2 ~ port { print $NF }' /proc/net/udp)
echo "memory grew by $grown KiB; $(((($(used) - time) * 100) / $(getconf CLK_TCK) / (seconds + 1))) % of one core; $dropped packets dropped"
[ "$grown" -lt 8192 ] || { echo "memory grows"; exit 1; }
[ "$dropped" = 0 ] || { echo "packets were dropped"; exit 1; }

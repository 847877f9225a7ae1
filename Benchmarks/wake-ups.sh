#!/usr/bin/env bash
# Wake-up lateness and xruns of the render thread, with real-time scheduling where it is to be had and without, on the fault
# card in real time.
#
#   Benchmarks/wake-ups.sh [SECONDS [PERIOD_MS]]      30 seconds at 1 ms unless told otherwise
#
# Prints a line for each: the scheduling that was obtained, the shares of wake-ups that came later than each class has room
# for, xruns. The classes double from 50 µs, so that a figure is an upper bound within a factor of two.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-30}
period=${2:-1}
swift build -c release --product thrum 2>&1 | tail -n 1
swift build -c release --product ThrumTestCard 2>&1 | tail -n 1
bin=$(swift build -c release --show-bin-path)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/asound.conf" <<CONF
pcm_type.thrum_test_card { lib "$bin/libThrumTestCard.so" }
pcm.card { type thrum_test_card rates "48000" channels "2" }
CONF
cat >"$work/second.ahap" <<'AHAP'
{"Version": 1, "Pattern": [
  {"Event": {"Time": 0, "EventType": "HapticContinuous", "EventDuration": 0.9, "EventParameters": []}},
  {"Event": {"Time": 1.0, "EventType": "HapticTransient", "EventParameters": []}}]}
AHAP

# measure NAME COMMAND...: plays under a command that changes what the process may ask for.
measure() {
  local name=$1
  shift
  echo "$name, period $period ms, $seconds s"
  ALSA_CONFIG_PATH="$work/asound.conf" "$@" "$bin/thrum" play -d card -p "$period" \
    -r 48000 --stats -v -l "$seconds" "$work/second.ahap" 2>&1 >/dev/null \
    | grep -E '^(render thread|xruns|longest|wake-ups)' | sed 's/^/  /'
}

measure "as permitted" env
# No real-time priority for anybody who is not root, and no rtkit to ask: for root, the capability goes as well.
nobody=(env DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent)
if [ "$(id -u)" = 0 ]; then
  measure "normal" "${nobody[@]}" setpriv --bounding-set -sys_nice --inh-caps -sys_nice prlimit --rtprio=0
else
  measure "normal" "${nobody[@]}" prlimit --rtprio=0
fi

#!/usr/bin/env bash
# Wake-up lateness and xruns of the render thread, with real-time scheduling where it is to be had and without, on the fault
# card in real time.
#
#   Benchmarks/wake-ups.sh [SECONDS [PERIOD_MS]]      30 seconds at 1 ms unless told otherwise
#
# Prints for each: the scheduling that was obtained, percentiles and counts of how late wake-ups were, xruns, the longest render.
# Lateness is counted in classes that double from 50 µs, so that a figure is an upper bound within a factor of two. A C loop on the
# same card is in `bench-idle`.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-30}
period=${2:-1}
swift build -c release --product thrum 2>&1 | tail -n 1 >&2
swift build -c release --product ThrumTestCard 2>&1 | tail -n 1 >&2
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

# The lines of `play --json` that tell of the thread, as text.
report() {
  LC_ALL=C awk '
    # The number behind a key, at or after a place in a line.
    function number(line, key,  place) {
      place = index(line, "\"" key "\":")
      return place ? substr(line, place + length(key) + 3) + 0 : 0
    }
    /"event":"statistics"/ {
      longest = number($0, "worstRenderSeconds") * 1e6
      share = number($0, "worstRenderShare") * 100
      rest = $0
      while (match(rest, /"underSeconds":[^,]*,"count":[0-9]+/)) {
        class = substr(rest, RSTART, RLENGTH)
        limit[n] = class ~ /null/ ? -1 : number(class, "underSeconds") * 1e6
        count[n] = number(class, "count")
        total += count[n++]
        rest = substr(rest, RSTART + RLENGTH)
      }
    }
    /"event":"end"/ {
      xruns = number($0, "xruns")
      late = number($0, "lateCommands")
      match($0, /"scheduling":"[^"]*"/)
      scheduling = substr($0, RSTART + 14, RLENGTH - 15)
    }
    function under(share,  index_, seen) {
      for (index_ = 0; index_ < n; index_++) {
        seen += count[index_]
        if (seen >= share * total) return limit[index_] < 0 ? "any time" : sprintf("%d µs", limit[index_])
      }
    }
    END {
      print "  scheduling " scheduling
      printf "  late by under: p50 %s  p90 %s  p99 %s", under(0.5), under(0.9), under(0.99)
      printf "  p99.9 %s  max %s  n %d\n", total < 1000 ? "–" : under(0.999), under(1), total
      printf "  wake-ups:"
      for (i = 0; i < n; i++) if (count[i]) printf "  %d %s", count[i], limit[i] < 0 ? "later" : "under " int(limit[i]) " µs"
      printf "\n  xruns %d  late commands %d  longest render %d µs, %.1f %% of a period\n", xruns, late, longest, share
    }'
}

# measure NAME COMMAND...: plays under a command that changes what the process may ask for.
measure() {
  local name=$1
  shift
  echo "$name, period $period ms, $seconds s"
  ALSA_CONFIG_PATH="$work/asound.conf" "$@" "$bin/thrum" play -d card -p "$period" \
    -r 48000 --stats --json -l "$seconds" "$work/second.ahap" 2>/dev/null | report
}

measure "as permitted" env
# No real-time priority for anybody who is not root, and no rtkit to ask: for root, the capability goes as well.
nobody=(env DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent)
if [ "$(id -u)" = 0 ]; then
  measure "normal" "${nobody[@]}" setpriv --bounding-set -sys_nice --inh-caps -sys_nice prlimit --rtprio=0
else
  measure "normal" "${nobody[@]}" prlimit --rtprio=0
fi

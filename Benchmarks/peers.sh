#!/usr/bin/env bash
# Thrum beside the programs that people use for the same today, on this machine, in one run.
#
#   Benchmarks/peers.sh                 what is installed, quick: three rounds
#   Benchmarks/peers.sh --install       installs csound, SuperCollider, Pure Data, sox and alsa-utils from apt first
#   Benchmarks/peers.sh --full          nine rounds and longer scores
#   Benchmarks/peers.sh --markdown      tables for docs/performance.md
#   Benchmarks/peers.sh --only offline  or --only live: one half
#   Benchmarks/peers.sh --smoke --check exit 1 where Thrum's signal is not the C bank's; nothing is asked of times
#
# Offline, every program renders the same score to a mono WAV file: COUNT sines with a linear attack, decay and release each, or
# taps one after another. The score is written by Benchmarks/Peers/score.c in each program's own language. A round runs every
# program twice, with the whole score and with one of 60 ms; the difference in processor time, user and system, is what rendering
# took, without start-up and reading. Figures are medians of the rounds, which are interleaved. The root mean square of every
# file between 0.05 s and the last note's end is held against the C bank's, so that nobody does less work unnoticed.
#
# Live, the same tap goes through the simulated card (docs/fault-card.md), whose log tells when each frame sounded: from the
# start of the process to the first loud frame, and from a command to a program that is running already. aplay and sox play what
# `thrum render` made; csound makes a tap of 2 ms attack itself. Periods are as asked and the buffer has three of them, but sox
# takes a buffer of eight.
#
# Other programs join by PEERS="name=program ...": each is called as the C bank is, `program tones|taps COUNT RATE SECONDS
# REPEATS OUT.wav`. So join Syntacts, the Meta Haptics SDK or the MPEG software, built from their sources with a main of your own.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
rounds=3 target=20000000 trials=15 markdown='' only='' check='' sizes=(1 16 128 1024) taps=(1024 4096)
while [ $# -gt 0 ]; do
  case $1 in
    --install)
      $(command -v sudo) env DEBIAN_FRONTEND=noninteractive sh -c 'apt-get update -q && apt-get install -qy \
        --no-install-recommends csound supercollider-server jackd2 puredata-core sox libsox-fmt-alsa alsa-utils' >&2
      ;;
    --full) rounds=9 target=100000000 trials=101 ;;
    --smoke) rounds=1 target=2000000 trials=3 sizes=(16 1024) taps=(1024) ;;
    --markdown) markdown=yes ;;
    --check) check=yes ;;
    --only)
      only=${2:-}
      shift
      ;;
    *)
      echo "usage: Benchmarks/peers.sh [--install] [--full|--smoke] [--check] [--markdown] [--only offline|live]" >&2
      exit 2
      ;;
  esac
  shift
done
has() { command -v "$1" >/dev/null; }

for product in bench-offline ThrumTestCard; do swift build -c release --product "$product" >&2; done
bin=$(swift build -c release --show-bin-path)
# The command as it is shipped, with the Swift libraries linked in (docs/packaging.md).
scratch=${SCRATCH_PATH:-.build/static}
swift build -c release --static-swift-stdlib --scratch-path "$scratch" --product thrum >&2
thrum=$scratch/release/thrum
work=$(mktemp -d)
children=()
finish() {
  for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
  rm -rf "$work"
}
trap finish EXIT
compiler=$(dirname "$(readlink -f "$(command -v swift)")")/clang
[ -x "$compiler" ] || compiler=cc
sources=Benchmarks/Peers
"$compiler" -O2 -o "$work/score" $sources/score.c $sources/tones.c -lm
"$compiler" -O2 -o "$work/measure" $sources/measure.c -lm
# The limit twice: for the target and with the arithmetic that Thrum has, and for this processor alone.
"$compiler" -O3 -ffp-contract=off -o "$work/bank" $sources/bank.c $sources/tones.c -lm
"$compiler" -O3 -march=native -o "$work/bank-native" $sources/bank.c $sources/tones.c -lm

# line CELL...: one line of a table; heading CELL... its first.
line() {
  if [ -n "$markdown" ]; then
    printf '|'
    printf ' %s |' "$@"
    printf '\n'
  else
    printf '%-34s' "$1"
    shift
    printf ' %22s' "$@"
    printf '\n'
  fi
}
heading() {
  line "$@"
  [ -z "$markdown" ] || {
    printf '| --- |'
    shift
    printf ' ---: |%.0s' "$@"
    printf '\n'
  }
}
# percentile P: of the first numbers of the lines on standard input, nearest rank.
percentile() { sort -n | awk -v p="$1" '{ v[NR] = $1 } END { r = int(p * NR / 100); if (r < p * NR / 100) r++; if (r < 1) r = 1; print v[r] }'; }

# --- Offline ---------------------------------------------------------------------------------------------------------------

engines=(bank bank-native thrum-library thrum-render)
names=([0]="C bank, default target" "C bank, this processor" "Thrum's library" "thrum render")
missing=()
add() {
  if has "$1"; then
    engines+=("$2")
    names+=("$3")
  else
    missing+=("$1")
  fi
}
version() { "$@" 2>&1 | grep -oE '[0-9]+\.[0-9]+(\.[0-9]+)?' | head -n 1 || true; }
add scsynth scsynth "scsynth"
add csound csound "csound"
add pd pd "Pure Data"
add sox sox "sox synth"
for peer in ${PEERS:-}; do
  engines+=("own:${peer#*=}")
  names+=("${peer%%=*}")
done

# make ENGINE KIND COUNT RATE SECONDS REPEATS FOLDER: sets `command` to what renders the score of a folder to its out.wav; empty for what
# it cannot do.
make() {
  local engine=$1 kind=$2 count=$3 rate=$4 seconds=$5 repeats=$6 folder=$7
  command=()
  case $engine in
    bank | bank-native) command=("$work/$engine" "$kind" "$count" "$rate" "$seconds" "$repeats" "$folder/out.wav") ;;
    thrum-library) command=("$bin/bench-offline" "$rate" "$folder/score.ahap" "$folder/out.wav") ;;
    # 256 voices at once are all that it has.
    thrum-render) [ "$kind" = tones ] && [ "$count" -gt 256 ] \
      || command=("$thrum" render "$folder/score.ahap" -r "$rate" -f float -o "$folder/out.wav") ;;
    scsynth) command=(scsynth -N "$folder/score.osc" _ "$folder/out.wav" "$rate" WAV float -i 0 -o 1 -n 16384 -m 65536) ;;
    csound) command=(csound -d -m0 --format=float -W -o "$folder/out.wav" "$folder/score.csd") ;;
    # A patch of Pure Data has as many voices as it draws, all of the time: not for taps.
    pd) [ "$kind" = taps ] || command=(pd -nogui -nosound -batch -r "$rate" "$folder/score.pd") ;;
    sox)
      if [ "$kind" = tones ] && [ "$count" -le 128 ]; then
        local effects
        read -ra effects <"$folder/score.sox"
        command=(sox -V1 -n -r "$rate" -b 32 -e float -c "$count" "$folder/out.wav" "${effects[@]}")
      fi
      ;;
    own:*) command=("${engine#own:}" "$kind" "$count" "$rate" "$seconds" "$repeats" "$folder/out.wav") ;;
  esac
}

differs=''
# compare KIND RATE COUNT...: one table.
compare() {
  local kind=$1 rate=$2 count few seconds repeats round index engine
  shift 2
  declare -A cost=() level=() work_done=()
  local cells
  for count in "$@"; do
    if [ "$kind" = tones ]; then
      # Ten seconds, as often as makes enough work of few voices, but no more than five minutes.
      seconds=10
      repeats=$((target / count / rate / seconds))
      repeats=$((repeats < 1 ? 1 : repeats > 30 ? 30 : repeats))
      work_done[$count]=$((count * rate * seconds * repeats))
    else
      seconds=$((count / 20 + 1)) repeats=1
      work_done[$count]=$count
    fi
    mkdir -p "$work/whole" "$work/short"
    "$work/score" "$kind" "$count" "$rate" "$seconds" "$repeats" "$work/whole"
    # As many voices as in the whole score; of taps, which follow one another, only one.
    few=$count
    [ "$kind" = tones ] || few=1
    "$work/score" "$kind" "$few" "$rate" 0.06 1 "$work/short"
    for index in "${!engines[@]}"; do : >"$work/cost.$index"; done
    for round in $(seq "$rounds"); do
      for index in "${!engines[@]}"; do
        engine=${engines[$index]}
        local whole short
        make "$engine" "$kind" "$count" "$rate" "$seconds" "$repeats" "$work/whole"
        [ ${#command[@]} -gt 0 ] || continue
        rm -f "$work/whole/out.wav"
        read -r whole _ < <("$work/measure" run "${command[@]}") || true
        if [ "$round" = 1 ]; then
          local passes=$repeats
          [ "$engine" != sox ] || passes=1
          level[$index,$count]=$("$work/measure" rms "$work/whole/out.wav" 0.05 "$((seconds * passes - 1)).97" || echo none)
        fi
        make "$engine" "$kind" "$few" "$rate" 0.06 1 "$work/short"
        read -r short _ < <("$work/measure" run "${command[@]}") || true
        echo $((whole - short)) >>"$work/cost.$index"
      done
    done
    for index in "${!engines[@]}"; do
      [ ! -s "$work/cost.$index" ] || cost[$index,$count]=$(percentile 50 <"$work/cost.$index")
    done
  done
  if [ "$kind" = tones ]; then
    heading "sines, $rate Hz: Mvs/s (× C, × Thrum)" "${@/#/N = }" "same signal"
  else
    heading "taps, $rate Hz: thousands/s (× C, × Thrum)" "${@/#/N = }" "same signal"
  fi
  for index in "${!engines[@]}"; do
    cells=()
    local verdict=yes
    [[ " ${!cost[*]} " == *" $index,"* ]] || continue
    for count in "$@"; do
      local own=${cost[$index,$count]:-}
      if [ -z "$own" ]; then
        cells+=("–")
        continue
      fi
      local done=${work_done[$count]}
      # It plays the tones once.
      [ "${engines[$index]}" != sox ] || done=$((count * rate * 10))
      cells+=("$(awk -v w="$done" -v own="$own" -v c="${cost[0,$count]}" -v t="${cost[2,$count]}" -v k="$kind" \
        -v all="${work_done[$count]}" '
        BEGIN { if (own < 200) { print "under 0.2 ms"; exit }
          v = k == "tones" ? w / own : w / own * 1000
          printf (v < 100 ? "%.1f" : "%.0f") " (%.2f, %.2f)", v, c / own * w / all, t / own * w / all }')")
      local off
      off=$(awk -v a="${level[$index,$count]}" -v b="${level[0,$count]}" 'BEGIN { if (a == "none" || b == 0) print "missing"
        else { d = (a / b - 1) * 100; print (d < 0.2 && d > -0.2) ? "" : sprintf("%+.2f %%", d) } }')
      [ -z "$off" ] || { [ "$verdict" = yes ] && verdict="$off at $count" || verdict="$verdict, $off at $count"; }
    done
    line "${names[$index]}" "${cells[@]}" "$verdict"
    case ${engines[$index]} in thrum-*) [ "$verdict" = yes ] || differs=yes ;; esac
  done
  echo
}

# --- Live ------------------------------------------------------------------------------------------------------------------

# until_gone PROCESS: waits for its end, ten seconds at most.
until_gone() {
  for _ in $(seq 100); do
    kill -0 "$1" 2>/dev/null || return 0
    sleep 0.1
  done
  kill "$1" 2>/dev/null || true
}

# sound NAME COMMAND...: plays once and notes how long it took until the card sounded.
sound() {
  local name=$1 begun late
  shift
  rm -f "$work/card.log" "$work/card.frames"
  timeout 20 "$work/measure" spawn "$@" >/dev/null 2>"$work/begun" </dev/null || true
  begun=$(head -n 1 "$work/begun")
  if late=$("$work/measure" onset "$work/card.log" "$work/card.frames" "$begun"); then
    echo "$late" >>"$work/live.$name"
  else
    echo "$name was not heard: $(sed -n 2p "$work/begun")" >&2
  fi
}

live() {
  local milliseconds=$1 frames=$(($1 * 48)) trial name
  cat >"$work/asound.conf" <<CONF
</usr/share/alsa/alsa.conf>
pcm_type.thrum_test_card { lib "$bin/libThrumTestCard.so" }
pcm.card { type thrum_test_card rates "48000" channels "1" formats "S16_LE" frames "$work/card.frames" log "$work/card.log" }
CONF
  export ALSA_CONFIG_PATH=$work/asound.conf
  rm -f "$work"/live.*
  cat >"$work/tap.ahap" <<'AHAP'
{ "Version": 1.0, "Pattern": [ { "Event": { "Time": 0, "EventType": "HapticTransient", "EventParameters": [
  { "ParameterID": "HapticIntensity", "ParameterValue": 1 } ] } } ] }
AHAP
  "$thrum" render "$work/tap.ahap" -r 48000 -f s16 -o "$work/tap.wav"
  cat >"$work/tap.csd" <<'CSD'
<CsoundSynthesizer>
<CsInstruments>
sr = 48000
ksmps = 16
nchnls = 1
0dbfs = 1
giSine ftgen 1, 0, 16384, 10, 1
instr 1
aLevel linseg 0, 0.002, 0.5, 0.026, 0
aTone poscil aLevel, 180, 1
out aTone
endin
</CsInstruments>
<CsScore>
f0 0.1
i1 0 0.028
e
</CsScore>
</CsoundSynthesizer>
CSD
  sed 's/^f0 .*/f0 3600/; /^i1/d; /^e$/d' "$work/tap.csd" >"$work/open.csd"
  for trial in $(seq "$trials"); do
    ! has aplay || sound aplay aplay -q -D card --period-size="$frames" --buffer-size=$((3 * frames)) "$work/tap.wav"
    ! has sox || sound sox sox -q --buffer $((2 * frames)) "$work/tap.wav" -t alsa card
    ! has csound || sound csound csound -d -m0 -odac:card -b "$frames" -B $((3 * frames)) "$work/tap.csd"
    sound thrum "$thrum" play -d card -r 48000 -f s16 -p "$milliseconds" --actuator none "$work/tap.ahap"
  done
  if has csound; then running_csound "$frames"; fi
  if has scsynth && has jackd; then running_scsynth "$frames"; fi
  rm -f "$work/card.log" "$work/card.frames"
  "$thrum" latency --software -d card -r 48000 -f s16 -p "$milliseconds" --actuator none --trials $((trials * 10)) --csv \
    2>/dev/null | awk -F, '$3 ~ /^[0-9.]+$/ { printf "%.0f –\n", $3 * 1000 }' >"$work/live.thrum-running" || true
  heading "$milliseconds ms period, ms to the first loud frame" p50 p90 p99 max n "xruns" "× Thrum"
  for name in aplay sox csound thrum csound-running scsynth-running thrum-running; do
    [ -s "$work/live.$name" ] || continue
    local base=thrum label="$name, new process"
    case $name in *-running) base=thrum-running label="${name%-running}, running already" ;; esac
    line "${label/thrum/thrum play}" "$(milli 50 "$name")" "$(milli 90 "$name")" "$(milli 99 "$name")" "$(milli 100 "$name")" \
      "$(wc -l <"$work/live.$name")" "$(xruns "$name")" \
      "$(awk -v a="$(percentile 50 <"$work/live.$name")" -v b="$(percentile 50 <"$work/live.$base")" 'BEGIN { printf "%.2f", a / b }')"
  done | sed 's/thrum play, running already/thrum latency --software, running/'
  echo
}
# A process of its own has its xruns on each line; one that runs on has all of them on its last.
xruns() {
  case $1 in
    *-running) tail -n 1 "$work/live.$1" | cut -d ' ' -f 2 ;;
    *) awk '{ sum += $2 } END { print sum }' "$work/live.$1" ;;
  esac
}
# milli P NAME: a percentile in milliseconds; none of 99 from fewer than a hundred.
milli() {
  if [ "$1" = 99 ] && [ "$(wc -l <"$work/live.$2")" -lt 100 ]; then
    echo –
  else
    percentile "$1" <"$work/live.$2" | awk '{ printf "%.1f", $1 / 1000 }'
  fi
}

# Notes to a csound that is open, a line of its score each.
running_csound() {
  local trial
  rm -f "$work/card.log" "$work/card.frames" "$work/notes" "$work/begun"
  mkfifo "$work/notes"
  # Held open for both directions, so that csound does not see an end between two notes.
  exec 7<>"$work/notes"
  csound -d -m0 -odac:card -b "$1" -B $((3 * $1)) -L "$work/notes" "$work/open.csd" >/dev/null 2>&1 &
  local csound=$!
  children+=("$csound")
  sleep 1
  for trial in $(seq $((trials * 2))); do
    "$work/measure" send $'i1 0 0.028\n' >&7 2>>"$work/begun"
    sleep "0.1$((trial % 10))$((trial * 7 % 10))"
  done
  kill -INT "$csound" 2>/dev/null || true
  until_gone "$csound"
  exec 7>&-
  onsets csound-running
}

# onsets NAME: how long each command that was noted took to sound.
onsets() {
  local begun
  while read -r begun; do
    "$work/measure" onset "$work/card.log" "$work/card.frames" "$begun" >>"$work/live.$1" || true
  done <"$work/begun"
}

# Notes to scsynth, behind JACK with a buffer of three periods, by OSC. Both end with the function.
running_scsynth() {
  local trial port=$((57200 + RANDOM % 1000)) name=thrum-peers-$$
  rm -f "$work/card.log" "$work/card.frames" "$work/begun"
  mkdir -p "$work/short"
  "$work/score" taps $((trials * 2)) 48000 1 1 "$work/short"
  jackd --name "$name" -R -P 20 -d alsa -P card -p "$1" -n 3 -r 48000 >/dev/null 2>&1 &
  local jackd=$!
  children+=("$jackd")
  sleep 2
  JACK_DEFAULT_SERVER=$name SC_JACK_DEFAULT_OUTPUTS=system scsynth -u "$port" -R 0 -i 0 -o 1 -z 16 -n 16384 >/dev/null 2>&1 &
  local scsynth=$!
  children+=("$scsynth")
  sleep 2
  "$work/measure" osc "$port" "$work/short/score.osc" 0 2>/dev/null || true
  sleep 0.5
  for trial in $(seq $((trials * 2))); do
    "$work/measure" osc "$port" "$work/short/score.osc" "$trial" 2>>"$work/begun" || true
    sleep "0.1$((trial % 10))$((trial * 7 % 10))"
  done
  kill "$scsynth" 2>/dev/null || true
  until_gone "$scsynth"
  kill "$jackd" 2>/dev/null || true
  until_gone "$jackd"
  onsets scsynth-running
}

versions=''
for program in "scsynth -v" "csound --version" "pd -version" "sox --version"; do
  # shellcheck disable=SC2086  # A command and its option.
  if has "${program%% *}"; then versions+=", ${program%% *} $(version $program)"; fi
done
echo "$(date -u +%Y-%m-%d), $(nproc) × $(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo), Linux $(uname -r), $(swift --version 2>/dev/null \
  | grep -oE 'Swift version [0-9.]+' | head -n 1), load $(cut -d ' ' -f 1 /proc/loadavg)$versions; $rounds rounds"
[ ${#missing[@]} -eq 0 ] || echo "not installed, left out: ${missing[*]} (--install)"
echo
if [ "$only" != live ]; then
  compare tones 8000 "${sizes[@]}"
  compare tones 48000 "${sizes[@]}"
  compare taps 8000 "${taps[@]}"
  compare taps 48000 "${taps[@]}"
fi
if [ "$only" != offline ]; then
  live 1
  live 5
fi
if [ -n "$check" ] && [ -n "$differs" ]; then exit 1; fi

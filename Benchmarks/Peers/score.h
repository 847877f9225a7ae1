#pragma once

// The score that every engine plays, in one place: sines under linear envelopes, and taps.

// A tone: so many seconds up, down to the level that is held, and down to nothing after its length.
#define SCORE_ATTACK 0.010
#define SCORE_DECAY 0.5
#define SCORE_HELD 0.7
#define SCORE_RELEASE 0.020
// All voices together, at most.
#define SCORE_LEVEL 0.4
// Taps: one after another, none over the end of the one before.
#define SCORE_TAP_DISTANCE 0.050
#define SCORE_TAP_ATTACK 0.002
#define SCORE_TAP_FALL 0.026

// Tones are played again and again, from silence to silence: none is longer than the 30 s that a Core Haptics event may last.
struct score {
    int is_taps;
    long count;
    double rate, seconds;
    long repeats;
};

// KIND COUNT RATE SECONDS REPEATS, as the programs here take them.
struct score score_read(char **arguments);

// Hertz of a voice, and the sharpness that Thrum's profile gives it: 80·(230/80)^s.
double score_sharpness(const struct score *score, long voice);
double score_hertz(const struct score *score, long voice);
// Where a decay ends and how long a note is held in all, for scores that are shorter than a decay.
double score_decay(const struct score *score);
double score_tone_seconds(const struct score *score);
// The peak of one voice; a tap's such that it has the energy of Thrum's of full intensity, 0.8 ms of full scale squared.
double score_amplitude(const struct score *score, long voice);

#pragma once
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <stdint.h>
#include <stdio.h>

#include "TestCardActuator.h"
#include "TestCardClock.h"
#include "TestCardLoop.h"
#include "TestCardUnit.h"

enum card_resume { CARD_RESUME_NONE, CARD_RESUME_PREPARE, CARD_RESUME_FULL };

struct card {
    snd_pcm_ioplug_t io;
    struct card_clock_user user;
    struct card_unit *unit;
    struct card_loop *loop;
    char *name;
    int64_t loop_delay_frames;
    // The rest of the delay, 0 to 1; the wire's gain and the noise on it, linear.
    double loop_fraction, loop_gain, loop_noise;
    // What shakes at the wire's end; NULL where nothing does.
    struct card_actuator *actuator;
    struct card *next_player;
    int is_hand_turned, is_capture, starts_full, hides_xruns;
    int64_t start_delay_nanoseconds;
    enum card_resume resume;
    int64_t drift_per_million;
    FILE *frames;
    FILE *log;
    // What the actuator's sensor tells of channel 1, as floats.
    FILE *motion;
    // Frames of the unit before this stream, and those of it that have sounded, or were read.
    int64_t stream_first, played;
    // Frames of this stream that are on the wire already.
    int64_t wired;
    // When the stream's frame 0 sounds.
    int64_t start_nanoseconds;
    // Until when the pointer stands at a frame although the card plays on.
    int64_t stalled_until, stalled_at;
    // Wake-ups to come without room, and by how much the delay is told wrong.
    int64_t wakes, lie;
    snd_pcm_uframes_t avail_min;
    size_t frame_bytes;
    // Playing, or dry without telling.
    int is_playing, is_dry;
    // What the device holds, for the wire; NULL without one.
    char *queue;
    snd_pcm_uframes_t boundary;
};

int64_t card_now(struct card *card);

// The frame of the wire's time that a time falls into.
int64_t card_place(struct card *card, int64_t nanoseconds);

// The frames that were taken and have not sounded.
int64_t card_queued(struct card *card);

// Where the program is told that the card is.
int64_t card_told_position(struct card *card, int64_t now);

// Plays up to a time, with everything that happens in it, and arranges for the program to be woken; returns the
// time at which it should.
int64_t card_update(struct card *card, int64_t now);

// The same for the clock that is turned by hand.
int64_t card_update_by_hand(struct card_clock_user *user, int64_t now);

void card_begin_playing(struct card *card, int64_t time);
void card_stop_playing(struct card *card, int64_t time, const char *why);
void card_ran_dry(struct card *card, int64_t time);
// Puts what should have sounded by a time onto the wire, and changes nothing else.
void card_put_due(struct card *card, int64_t now);
void card_make_readable(struct card *card, int64_t at, int64_t now);

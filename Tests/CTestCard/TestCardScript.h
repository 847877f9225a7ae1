#pragma once
#include <stdint.h>

enum card_call {
    CARD_OPEN,
    CARD_WRITE,
    CARD_AVAIL,
    CARD_START,
    CARD_PREPARE,
    CARD_RESUME,
    CARD_DELAY,
    CARD_CALLS
};
enum card_event {
    CARD_XRUN,
    CARD_SUSPEND,
    CARD_UNPLUG,
    CARD_DIE,
    CARD_STALL,
    CARD_FREEZE,
    CARD_WAKE,
    CARD_LIE,
    CARD_EVENTS
};

struct card_rule {
    enum card_call call;
    // The calls it is for, counted from 1.
    long first, last;
    // What is returned; with `takes` the number of frames that are taken, with `holds` the milliseconds of real time after
    // which the call does what it does.
    long value;
    int takes, holds;
};

struct card_happening {
    enum card_event event;
    int64_t frame;
    // How long it lasts, nanoseconds; or how often, or by how many frames.
    int64_t amount;
    int done;
};

struct card_script {
    struct card_rule *rules;
    struct card_happening *happenings;
    int rule_count, happening_count;
    // Happenings before it are done; they are in the order of their frames.
    int first_left;
    long counts[CARD_CALLS];
};

// Reads a script; returns 0, a negative error number, or the number of the line that cannot be read.
int card_script_read(struct card_script *script, const char *path);

void card_script_free(struct card_script *script);

// Counts a call and finds its rule; NULL where there is none.
const struct card_rule *card_script_call(struct card_script *script, enum card_call call);

// The first happening that has not been and comes at or before a frame; NULL where there is none.
struct card_happening *card_script_next(struct card_script *script, int64_t frame);

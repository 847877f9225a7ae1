#pragma once
#include <stdint.h>

#include "TestCardScript.h"

// What a card remembers while no program has it open: where its script stands, and whether it is there.
struct card_unit {
    struct card_unit *next;
    char *name;
    struct card_script script;
    long opens;
    // Frames taken over all streams.
    int64_t taken;
    // Times of the card's clock until which it is unplugged, suspended, and its server dead.
    int64_t absent_until, suspended_until, dead_until;
};

// The unit of a name, made at the first call; without a name one of its own. NULL without memory.
struct card_unit *card_unit_named(const char *name);

// Gives back one without a name.
void card_unit_release(struct card_unit *unit);

#pragma once
#include <stdint.h>

// A card as the clock that is turned by hand sees it.
struct card_clock_user {
    struct card_clock_user *next;
    // A thread that sleeps; while there is one, no card waits for the program.
    int is_sleeper;
    // Updates the card to a time, under the clock's lock; returns when it wants frames next, or INT64_MAX.
    int64_t (*update)(struct card_clock_user *user, int64_t now);
};

// One lock for the clock and all cards: calls come from the program's threads and from the one that turns.
void card_clock_lock(void);
void card_clock_unlock(void);
void card_clock_add(struct card_clock_user *user);
void card_clock_remove(struct card_clock_user *user);
int64_t card_clock_hand_now(void);

// Tells the turning thread that a card was given frames.
void card_clock_satisfied(void);

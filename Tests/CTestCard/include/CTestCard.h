#pragma once
#include <stdint.h>

// A sound card for tests: an ioplug that libasound loads, paced by CLOCK_MONOTONIC or by hand. Its ALSA
// configuration, its script and its log are told in docs/fault-card.md.

// The clock that is turned by hand, for cards with `clock "hand"` in this process. Find these by dlsym in the
// library that ALSA loaded: a copy of them that is linked in has a clock of its own.

// Nanoseconds so far.
int64_t thrum_card_now(void);

// Turns the clock on, stopping whenever a card wants frames until it has been given them. Returns 0, or
// -ETIMEDOUT when one was not given any for so many seconds of real time.
int thrum_card_advance(int64_t nanoseconds, int patience_seconds);

// Turns the clock on without waiting for anybody: the way to let a card run dry.
void thrum_card_jump(int64_t nanoseconds);

// Says that a thread of the program is awake (1) or no longer (-1): the clock stands while one is.
void thrum_card_attend(int change);

// Around a poll of a thread that attends: it rests, for so long at most.
void *thrum_card_rest(int64_t nanoseconds);
void thrum_card_rise(void *rest);

// Sleeps by the clock that is turned by hand, for a thread that attends.
void thrum_card_sleep(int64_t nanoseconds);

typedef int64_t (*thrum_card_now_function)(void);
typedef int (*thrum_card_advance_function)(int64_t, int);
typedef void (*thrum_card_jump_function)(int64_t);
typedef void (*thrum_card_attend_function)(int);
typedef void *(*thrum_card_rest_function)(int64_t);
typedef void (*thrum_card_rise_function)(void *);
typedef void (*thrum_card_sleep_function)(int64_t);

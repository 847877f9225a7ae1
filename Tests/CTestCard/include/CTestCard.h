#pragma once
#include <stdint.h>

// A sound card for tests: an ioplug that libasound loads, paced by CLOCK_MONOTONIC or by hand.
//
//   pcm_type.thrum_test_card { lib "/absolute/path/libThrumTestCard.so" }
//   pcm.card {
//     type thrum_test_card
//     rates "8000,48000"            formats "S16_LE,S32_LE"     channels "1..2"     access "mmap,rw"
//     period_bytes "64..65536"      buffer_bytes "128..262144"  (that is how ALSA keeps their limits)
//     clock "monotonic"             or "hand"
//     script "/path/faults.txt"     frames "/path/frames.raw"   log "/path/log.txt"
//   }
//
// Every key may be left out. `frames` gets each frame that was taken, as it came. `log` gets a line for each
// change; frames are counted over all streams from 0, times are nanoseconds of the card's clock:
//   open RATE CHANNELS FORMAT PERIOD BUFFER
//   play FRAME TIME          frame FRAME sounds at TIME and the following ones after it, at the rate
//   stop FRAME TIME WHY      frame FRAME and those taken after it did not sound; WHY is xrun, suspend, unplug
//                            or stop
//   take FRAME COUNT TIME    so many frames were taken, the first of them FRAME
//   close TIME
// A script has one statement a line, # begins a comment:
//   xrun at FRAME, suspend at FRAME, unplug at FRAME
//   on write|avail|start|prepare|resume|delay N return NAME    the N-th call, counted from 1; NAME as in EPIPE,
//                                                              or 0
//   on write N take K

// The clock that is turned by hand, for cards with `clock "hand"` in this process. Find these by dlsym in the
// library that ALSA loaded: a copy of them that is linked in has a clock of its own.

// Nanoseconds so far.
int64_t thrum_card_now(void);

// Turns the clock on, stopping whenever a card wants frames until it has been given them. Returns 0, or
// -ETIMEDOUT when one was not given any for so many seconds of real time.
int thrum_card_advance(int64_t nanoseconds, int patience_seconds);

// Turns the clock on without waiting for anybody: the way to let a card run dry.
void thrum_card_jump(int64_t nanoseconds);

typedef int64_t (*thrum_card_now_function)(void);
typedef int (*thrum_card_advance_function)(int64_t, int);
typedef void (*thrum_card_jump_function)(int64_t);

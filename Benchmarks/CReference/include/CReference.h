#pragma once
#include <stddef.h>
#include <stdint.h>

// Plain C loops that Swift is measured against in the same run.

// Twelve taps a phase from 8 kHz to `phases` times that, as straight a loop as can be written. `in` has 11 frames of the past
// before it; `weights` is phases × 12, the newest input's first. Writes frames × phases numbers.
void thrum_reference_polyphase(const float *restrict weights, size_t phases, const float *restrict in, size_t frames,
                               float *restrict out);

typedef struct {
    // Processor time of the thread that ran the loop, nanoseconds, opening and closing left out.
    double processor_nanoseconds;
    // Time on the wall for that.
    double wall_nanoseconds;
    long periods, xruns;
    // Whether it ran under SCHED_FIFO.
    int is_fifo;
    // How late each wake-up was by the card's own account, frames beyond a period.
    long late_count;
} thrum_reference_idle_result;

// Opens a PCM for 16-bit samples, waits for a period's room and writes a period of zeros, for so many periods. The priority is
// asked for where it is above 0. Writes how late each wake-up was to `late`, microseconds, where that is not NULL. Returns 0,
// or a negative error of ALSA.
int thrum_reference_idle(const char *pcm, unsigned rate, unsigned channels, size_t period_frames, long periods,
                         int priority, double *late, thrum_reference_idle_result *result);

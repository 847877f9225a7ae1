#pragma once
#include <stdint.h>

// The innermost loops of the voices. Each is compiled several times, for instruction sets of different width, and gives the
// same bits with each: the same operations in the same order, none of them fused. What they compute is written down beside
// their callers (ContinuousVoice+Render.swift, Pulse.swift); they take whole groups of eight frames.

// The instruction sets, narrowest first. Where a machine has none but its own, there is the baseline alone.
enum { THRUM_KERNEL_BASELINE = 0, THRUM_KERNEL_AVX2 = 1, THRUM_KERNEL_AVX512 = 2 };

// The widest that this machine has. Asks the processor; not for the render thread.
int32_t thrum_kernel_widest(void);

// The same, held down to what the environment variable THRUM_KERNEL names: baseline, avx2 or avx512. Not for the render
// thread.
int32_t thrum_kernel_chosen(void);

// A value a frame, or one for all where `values` is null.
typedef struct {
    const double *values;
    double constant;
} thrum_signal;

// What the envelope does over a run.
enum { THRUM_SHAPE_HOLD = 0, THRUM_SHAPE_ATTACK = 1, THRUM_SHAPE_FALL = 2 };

// A run of groups of a tone over which its envelope does one thing.
typedef struct {
    float *bus;
    int64_t groups;
    // The player's controls. Where the ratio is one for all, `step` is what it comes to.
    thrum_signal intensity;
    thrum_signal ratio;
    thrum_signal gain;
    // The voice's own.
    double own_intensity;
    double own_ratio;
    // The bus's frequency map.
    double minimum_step;
    double largest_ratio;
    // The envelope: the first frame of the run counted from the beginning of the attack or fall, its length in frames, the
    // exponent of a fall and the level it begins at.
    double position;
    double length;
    double slope;
    double level;
    uint32_t phase;
    uint32_t step;
    int32_t shape;
    // Whether no product of a control and the voice's own is beyond its range, so that none is to be clamped.
    int32_t is_bounded;
} thrum_tone;

// Adds a run to the bus and returns the phase behind it.
uint32_t thrum_tone_render(int32_t kernel, const thrum_tone *tone);

// The same for a run that changes nothing but the phase; `level` is all its factors.
uint32_t thrum_tone_render_steady(
    int32_t kernel, float *bus, int64_t groups, uint32_t phase, uint32_t step, float level);

// Taps side by side: at most so many, a lane each.
enum { THRUM_TAP_LANES = 8 };

// What is kept of each, THRUM_TAP_LANES numbers a row: the constants of its recurrence, its level, and where it has come to.
enum {
    THRUM_TAP_COSINE, THRUM_TAP_SINE, THRUM_TAP_DECAY, THRUM_TAP_ONSET, THRUM_TAP_OFFSET, THRUM_TAP_LEVEL,
    THRUM_TAP_X, THRUM_TAP_Y, THRUM_TAP_RN, THRUM_TAP_QN, THRUM_TAP_ROWS
};

// Makes the next groups of eight frames of `count` taps and moves their states on. `samples` takes `stride` numbers a tap.
void thrum_taps_render(
    int32_t kernel, double *states, int64_t count, float *samples, int64_t stride, int64_t groups);

#pragma once
#include <stddef.h>
#include <stdint.h>

// The practical limits that the renderer is measured against: banks of sines in plain C, nothing but the oscillator, a level
// and a sum. Structure of arrays; phase 2^32 a turn.
typedef struct {
    uint32_t *phase;
    uint32_t *step;
    float *level;
    // Of the moving bank: what a frame adds to the step and to the level.
    uint32_t *bend;
    float *slope;
    size_t count;
} thrum_voice_bank;

// Adds `frames` frames (a multiple of 8) of every voice to `out`: one step and one level for all of them.
void thrum_voice_bank_render(thrum_voice_bank *bank, float *out, size_t frames);

// The same for voices that move: each on a straight line of its own in frequency and in level, the least that an enveloped
// voice under curves can cost.
void thrum_moving_bank_render(thrum_voice_bank *bank, float *out, size_t frames);

// Bytes that the process has from its allocator at this moment.
size_t thrum_allocated_bytes(void);

#pragma once
#include <stddef.h>
#include <stdint.h>

// The practical limit that the renderer is measured against: a bank of steady sines in plain C, nothing but the
// oscillator, a level and a sum. Structure of arrays; phase 2^32 a turn.
typedef struct {
    uint32_t *phase;
    uint32_t *step;
    float *level;
    size_t count;
} thrum_voice_bank;

// Adds `frames` frames (a multiple of 8) of every voice to `out`.
void thrum_voice_bank_render(thrum_voice_bank *bank, float *out, size_t frames);

// Bytes that the process has from its allocator at this moment.
size_t thrum_allocated_bytes(void);

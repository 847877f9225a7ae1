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

// What somebody would write in C for one purpose: it believes its input, keeps four numbers of each event, and tells nothing.
typedef struct {
    double time, duration;
    float intensity, sharpness;
    int is_continuous;
} thrum_scanned_event;

// Scans AHAP text that ends with a zero byte; the number of events, of which `capacity` at most are kept.
size_t thrum_scan_events(const char *text, thrum_scanned_event *events, size_t capacity);

// Adds a damped sine of 22 ms to `out`, at 8,000 frames a second, for each event.
void thrum_render_events(const thrum_scanned_event *events, size_t count, float *out, size_t frames);

#include "VoiceKernels.h"

#include <stdlib.h>
#include <string.h>

// The same bits with every instruction set, and on every machine of an architecture.
#pragma STDC FP_CONTRACT OFF

// What passes a vector is always inlined: no function boundary has one.
#pragma clang diagnostic ignored "-Wpsabi"

// Their arrays are indexed by counters that end with them; a guard behind each would be a call out of the render path.
#pragma clang attribute push(__attribute__((no_stack_protector)), apply_to = function)

#define KERNEL(name) name##_baseline
#define LANES 4
#include "VoiceKernelBodies.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define KERNEL(name) name##_avx2
#define LANES 8
#include "VoiceKernelBodies.h"
#pragma clang attribute pop

#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw"))), apply_to = function)
#define KERNEL(name) name##_avx512
#define LANES 8
#include "VoiceKernelBodies.h"
#pragma clang attribute pop

// A direct call for each, so that whoever reads the machine code sees where the render path goes.
#define CHOOSE(name, ...)                                                        \
    do {                                                                         \
        if (kernel == THRUM_KERNEL_AVX512) return name##_avx512(__VA_ARGS__);    \
        if (kernel == THRUM_KERNEL_AVX2) return name##_avx2(__VA_ARGS__);        \
        return name##_baseline(__VA_ARGS__);                                     \
    } while (0)
#else
#define CHOOSE(name, ...)                    \
    do {                                     \
        (void)kernel;                        \
        return name##_baseline(__VA_ARGS__); \
    } while (0)
#endif

int32_t thrum_kernel_widest(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")) {
        return THRUM_KERNEL_AVX512;
    }
    if (__builtin_cpu_supports("avx2")) return THRUM_KERNEL_AVX2;
#endif
    return THRUM_KERNEL_BASELINE;
}

int32_t thrum_kernel_chosen(void) {
    int32_t widest = thrum_kernel_widest();
    int32_t asked = widest;
    const char *name = getenv("THRUM_KERNEL");
    if (name && strcmp(name, "baseline") == 0) asked = THRUM_KERNEL_BASELINE;
    if (name && strcmp(name, "avx2") == 0) asked = THRUM_KERNEL_AVX2;
    return asked < widest ? asked : widest;
}

uint32_t thrum_tone_render(int32_t kernel, const thrum_tone *tone) { CHOOSE(tone, tone); }

uint32_t thrum_tone_render_steady(
    int32_t kernel, float *bus, int64_t groups, uint32_t phase, uint32_t step, float level) {
    CHOOSE(steady, bus, groups, phase, step, level);
}

void thrum_taps_render(
    int32_t kernel, double *states, int64_t count, float *samples, int64_t stride, int64_t groups) {
    CHOOSE(taps, states, count, samples, stride, groups);
}

#pragma clang attribute pop

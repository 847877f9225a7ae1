#include "CReference.h"

#pragma STDC FP_CONTRACT OFF

void thrum_reference_polyphase(const float *restrict weights, size_t phases, const float *restrict in, size_t frames,
                               float *restrict out) {
    for (size_t frame = 0; frame < frames; frame++) {
        for (size_t phase = 0; phase < phases; phase++) {
            const float *row = weights + phase * 12;
            float sum = 0;
            for (size_t tap = 0; tap < 12; tap++) sum += row[tap] * in[(ptrdiff_t)frame - (ptrdiff_t)tap];
            *out++ = sum;
        }
    }
}

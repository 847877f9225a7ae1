#pragma once

#include <stdint.h>

// The odd polynomial of degree 9 of the renderer's oscillator, so that every bank does the same arithmetic; phase 2^32 a turn.
// Whether it is contracted is up to who includes it.
static inline float sine(uint32_t phase) {
    int32_t turn = (int32_t)phase;
    int32_t folded = (int32_t)((uint32_t)turn + 0x40000000u) < 0 ? (int32_t)(0x80000000u - (uint32_t)turn) : turn;
    float a = (float)folded * 0x1p-30f;
    float z = a * a;
    float sum = z * 0.000150820563159f + -0.00467222792046f;
    sum = sum * z + 0.0796884805385f;
    sum = sum * z + -0.645963359865f;
    sum = sum * z + 1.57079629002f;
    return sum * a;
}

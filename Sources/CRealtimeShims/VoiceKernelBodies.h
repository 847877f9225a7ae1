// The bodies of the kernels, once an instruction set; no include guard. The includer defines
//   KERNEL(name)  the name with the set's ending
//   LANES         frames of a tone worked on at once: 4 or 8
//
// Numbers that must not be fused, clamps by comparison as the machines have them (max and min keep the second operand where
// the first is not the greater or the smaller), sums in the order of frames and voices.

#define INLINE static inline __attribute__((always_inline))

typedef double KERNEL(doubles) __attribute__((ext_vector_type(LANES)));
typedef uint64_t KERNEL(words) __attribute__((ext_vector_type(LANES)));
typedef float KERNEL(floats) __attribute__((ext_vector_type(LANES)));
typedef int32_t KERNEL(turns) __attribute__((ext_vector_type(LANES)));
typedef uint32_t KERNEL(steps) __attribute__((ext_vector_type(LANES)));
typedef float KERNEL(octet) __attribute__((ext_vector_type(8)));
typedef int32_t KERNEL(octetTurns) __attribute__((ext_vector_type(8)));
typedef uint32_t KERNEL(octetSteps) __attribute__((ext_vector_type(8)));
#define doubles KERNEL(doubles)
#define words KERNEL(words)
#define floats KERNEL(floats)
#define turns KERNEL(turns)
#define steps KERNEL(steps)
#define octet KERNEL(octet)

// Oscillator.sine.
#define SINE(name, real, whole, natural)                                                  \
    INLINE real KERNEL(name)(natural phase) {                                             \
        natural folded = (whole)(phase + 0x40000000u) < 0 ? 0x80000000u - phase : phase;  \
        real a = __builtin_convertvector((whole)folded, real) * 0x1p-30f;                 \
        real z = a * a;                                                                   \
        real sum = z * 0.000150820563159f + -0.00467222792046f;                           \
        sum = sum * z + 0.0796884805385f;                                                 \
        sum = sum * z + -0.645963359865f;                                                 \
        sum = sum * z + 1.57079629002f;                                                   \
        return sum * a;                                                                   \
    }
SINE(sine, floats, turns, steps)
SINE(sineOfOctet, octet, KERNEL(octetTurns), KERNEL(octetSteps))
#undef SINE

INLINE doubles KERNEL(load)(const double *values) {
    doubles lanes;
    __builtin_memcpy(&lanes, values, sizeof lanes);
    return lanes;
}

INLINE void KERNEL(add)(float *bus, floats samples) {
    floats sum;
    __builtin_memcpy(&sum, bus, sizeof sum);
    sum = sum + samples;
    __builtin_memcpy(bus, &sum, sizeof sum);
}

INLINE void KERNEL(addOctet)(float *bus, octet samples) {
    octet sum;
    __builtin_memcpy(&sum, bus, sizeof sum);
    sum = sum + samples;
    __builtin_memcpy(bus, &sum, sizeof sum);
}

// Lanes.clamp.
INLINE doubles KERNEL(clamp)(doubles x, double upper) {
    doubles positive = x > 0 ? x : (doubles)(0.0);
    return positive < upper ? positive : (doubles)(upper);
}

// FrequencyMap.clamped.
INLINE doubles KERNEL(bound)(doubles ratio, double largestRatio) {
    doubles raised = ratio > 1 ? ratio : (doubles)(1.0);
    return raised < largestRatio ? raised : (doubles)(largestRatio);
}

// Adding 2^52 leaves the nearest integer in the low bits.
INLINE steps KERNEL(stepsOf)(doubles turned) {
    return __builtin_convertvector((words)(turned + 4503599627370496.0), steps);
}

// Envelope.smoothStep.
INLINE doubles KERNEL(smoothStep)(doubles u) { return u * u * u * (u * (u * 6 - 15) + 10); }

// CoreMath.quickExp2.
INLINE doubles KERNEL(exp2)(doubles x) {
    doubles shifted = x + 6755399441055744.0;
    doubles f = x - (shifted - 6755399441055744.0);
    doubles sum = f * 1.520192177470499e-05 + 0.00015469291131460627;
    sum = sum * f + 0.0013333922562772937;
    sum = sum * f + 0.009618027253701391;
    sum = sum * f + 0.05550410353448695;
    sum = sum * f + 0.24022651198157366;
    sum = sum * f + 0.6931471807284472;
    sum = sum * f + 0.9999999999616819;
    return sum * (doubles)(((words)shifted << 52) + 0x3FF0000000000000u);
}

// The sums of the steps up to and with each lane.
INLINE steps KERNEL(sums)(steps each) {
    steps zero = 0;
#if LANES == 8
    each = each + __builtin_shufflevector(zero, each, 0, 8, 9, 10, 11, 12, 13, 14);
    each = each + __builtin_shufflevector(zero, each, 0, 1, 8, 9, 10, 11, 12, 13);
    return each + __builtin_shufflevector(zero, each, 0, 1, 2, 3, 8, 9, 10, 11);
#else
    each = each + __builtin_shufflevector(zero, each, 0, 4, 5, 6);
    return each + __builtin_shufflevector(zero, each, 0, 1, 4, 5);
#endif
}

#if LANES == 8
#define COUNTING {0, 1, 2, 3, 4, 5, 6, 7}
#else
#define COUNTING {0, 1, 2, 3}
#endif

// Specialised by all arguments but the first, which are constants at every call. A plain run meets no bound and has a gain of
// 1: what a factor of 1 or a clamp would give is what there is already.
INLINE uint32_t KERNEL(run)(const thrum_tone *tone, int shape, int turnsEvenly, int isPlain, int isLevel) {
    const doubles counting = COUNTING;
    const steps countingSteps = COUNTING;
    const double *intensity = tone->intensity.values;
    const double *gain = tone->gain.values;
    const double *ratio = tone->ratio.values;
    int64_t gainStride = LANES;
    double unity[LANES];
    if (!isPlain && !gain) {
        // One for all is read again and again from a place of its own.
        for (int lane = 0; lane < LANES; lane++) unity[lane] = tone->gain.constant;
        gain = unity;
        gainStride = 0;
    }
    const doubles constantIntensity = tone->intensity.constant;

    float *bus = tone->bus;
    doubles position = counting + tone->position;
    uint32_t phase = tone->phase;
    steps phases = phase + tone->step * countingSteps;
    for (int64_t left = tone->groups * (8 / LANES); left > 0; left--) {
        doubles amplitude = isLevel ? constantIntensity : KERNEL(load)(intensity);
        if (isPlain) {
            amplitude = amplitude * (tone->own_intensity * 0.5);
        } else {
            amplitude = KERNEL(clamp)(amplitude * tone->own_intensity, 1) * 0.5;
        }
        if (shape == THRUM_SHAPE_ATTACK) {
            amplitude = amplitude * KERNEL(smoothStep)(KERNEL(clamp)(position / tone->length, 1));
        } else if (shape == THRUM_SHAPE_FALL) {
            doubles u = KERNEL(clamp)(position, tone->length) / tone->length;
            doubles fall = (1 - KERNEL(smoothStep)(u)) * KERNEL(exp2)(u * tone->slope);
            amplitude = amplitude * (fall * tone->level);
        }
        if (!isPlain) amplitude = amplitude * KERNEL(load)(gain);
        if (!turnsEvenly) {
            doubles turned = KERNEL(load)(ratio) * tone->own_ratio;
            if (!isPlain) turned = KERNEL(bound)(turned, tone->largest_ratio);
            steps each = KERNEL(stepsOf)(turned * tone->minimum_step);
            steps sums = KERNEL(sums)(each);
            phases = sums - each + phase;
            phase = phase + sums[LANES - 1];
            ratio += LANES;
        }
        KERNEL(add)(bus, KERNEL(sine)(phases) * __builtin_convertvector(amplitude, floats));
        if (turnsEvenly) phases = phases + tone->step * LANES;
        position = position + LANES;
        bus += LANES;
        intensity += isLevel ? 0 : LANES;
        gain += isPlain ? 0 : gainStride;
    }
    return turnsEvenly ? phases[0] : phase;
}

INLINE uint32_t KERNEL(shaped)(const thrum_tone *tone, int turnsEvenly, int isPlain, int isLevel) {
    if (tone->shape == THRUM_SHAPE_HOLD)
        return KERNEL(run)(tone, THRUM_SHAPE_HOLD, turnsEvenly, isPlain, isLevel);
    if (tone->shape == THRUM_SHAPE_ATTACK)
        return KERNEL(run)(tone, THRUM_SHAPE_ATTACK, turnsEvenly, isPlain, isLevel);
    return KERNEL(run)(tone, THRUM_SHAPE_FALL, turnsEvenly, isPlain, isLevel);
}

static uint32_t KERNEL(tone)(const thrum_tone *tone) {
    int isLevel = !tone->intensity.values, turnsEvenly = !tone->ratio.values;
    int isPlain = tone->is_bounded && !tone->gain.values && tone->gain.constant == 1;
    if (isPlain) {
        if (turnsEvenly) return isLevel ? KERNEL(shaped)(tone, 1, 1, 1) : KERNEL(shaped)(tone, 1, 1, 0);
        return isLevel ? KERNEL(shaped)(tone, 0, 1, 1) : KERNEL(shaped)(tone, 0, 1, 0);
    }
    if (turnsEvenly) return isLevel ? KERNEL(shaped)(tone, 1, 0, 1) : KERNEL(shaped)(tone, 1, 0, 0);
    return isLevel ? KERNEL(shaped)(tone, 0, 0, 1) : KERNEL(shaped)(tone, 0, 0, 0);
}

static uint32_t KERNEL(steady)(float *bus, int64_t groups, uint32_t phase, uint32_t step, float level) {
    const KERNEL(octetSteps) counting = {0, 1, 2, 3, 4, 5, 6, 7};
    KERNEL(octetSteps) phases = phase + step * counting;
    for (int64_t group = 0; group < groups; group++) {
        KERNEL(addOctet)(bus, KERNEL(sineOfOctet)(phases) * level);
        phases = phases + step * 8;
        bus += 8;
    }
    return phases[0];
}

// Eight frames of eight taps, turned into eight taps of eight frames.
INLINE void KERNEL(transpose)(octet rows[8]) {
    octet pairs[8], fours[8];
    for (int i = 0; i < 8; i += 2) {
        pairs[i] = __builtin_shufflevector(rows[i], rows[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        pairs[i + 1] = __builtin_shufflevector(rows[i], rows[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < 8; i += 4) {
        for (int j = 0; j < 2; j++) {
            octet a = pairs[i + j], b = pairs[i + j + 2];
            fours[i + j] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
            fours[i + j + 2] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (int i = 0; i < 4; i++) {
        rows[i] = __builtin_shufflevector(fours[i], fours[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        rows[i + 4] = __builtin_shufflevector(fours[i], fours[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

// Eight frames of so many taps, from the lane `states` points to on.
#define PULSES(name, width, reals, narrows)                                                                \
    typedef double reals __attribute__((ext_vector_type(width)));                                          \
    typedef float narrows __attribute__((ext_vector_type(width)));                                         \
    INLINE void KERNEL(name)(double *states, float samples[8][THRUM_TAP_LANES]) {                          \
        reals rows[THRUM_TAP_ROWS];                                                                        \
        for (int row = 0; row < THRUM_TAP_ROWS; row++)                                                     \
            __builtin_memcpy(&rows[row], states + row * THRUM_TAP_LANES, sizeof rows[row]);                \
        reals cosine = rows[THRUM_TAP_COSINE], sine = rows[THRUM_TAP_SINE];                                \
        reals x = rows[THRUM_TAP_X], y = rows[THRUM_TAP_Y];                                                \
        reals rn = rows[THRUM_TAP_RN], qn = rows[THRUM_TAP_QN];                                            \
        for (int frame = 0; frame < 8; frame++) {                                                          \
            reals rise = 1 - qn;                                                                           \
            reals sample = rows[THRUM_TAP_LEVEL] * (rn * rise * rise * (y - rows[THRUM_TAP_OFFSET]));      \
            narrows narrow = __builtin_convertvector(sample, narrows);                                     \
            __builtin_memcpy(samples[frame], &narrow, sizeof narrow);                                      \
            reals turned = x * cosine - y * sine;                                                          \
            y = y * cosine + x * sine;                                                                     \
            x = turned;                                                                                    \
            rn = rn * rows[THRUM_TAP_DECAY];                                                               \
            qn = qn * rows[THRUM_TAP_ONSET];                                                               \
        }                                                                                                  \
        __builtin_memcpy(states + THRUM_TAP_X * THRUM_TAP_LANES, &x, sizeof x);                            \
        __builtin_memcpy(states + THRUM_TAP_Y * THRUM_TAP_LANES, &y, sizeof y);                            \
        __builtin_memcpy(states + THRUM_TAP_RN * THRUM_TAP_LANES, &rn, sizeof rn);                         \
        __builtin_memcpy(states + THRUM_TAP_QN * THRUM_TAP_LANES, &qn, sizeof qn);                         \
    }
PULSES(fourPulses, 4, KERNEL(fourDoubles), KERNEL(fourFloats))
PULSES(eightPulses, 8, KERNEL(eightDoubles), KERNEL(eightFloats))
#undef PULSES

static void KERNEL(taps)(double *states, int64_t count, float *samples, int64_t stride, int64_t groups) {
    for (int64_t group = 0; group < groups; group++) {
        float frames[8][THRUM_TAP_LANES];
        if (count <= 4) {
            KERNEL(fourPulses)(states, frames);
        } else if (LANES == 8) {
            KERNEL(eightPulses)(states, frames);
        } else {
            // Two after another, so that the states of each stay in registers.
            float later[8][THRUM_TAP_LANES];
            KERNEL(fourPulses)(states, frames);
            KERNEL(fourPulses)(states + 4, later);
            for (int frame = 0; frame < 8; frame++)
                __builtin_memcpy(frames[frame] + 4, later[frame], 4 * sizeof(float));
        }
        octet rows[8];
        __builtin_memcpy(rows, frames, sizeof rows);
        KERNEL(transpose)(rows);
        for (int64_t tap = 0; tap < count; tap++)
            __builtin_memcpy(samples + tap * stride + group * 8, &rows[tap], sizeof rows[tap]);
    }
}

#undef doubles
#undef words
#undef floats
#undef turns
#undef steps
#undef octet
#undef COUNTING
#undef INLINE
#undef KERNEL
#undef LANES

// The limit: the same tones in plain C, a polynomial sine and a linear envelope for each voice and sample, summed, to a WAV file.
//
//   bank tones|taps COUNT RATE SECONDS REPEATS OUT.wav
//
// Built twice by Benchmarks/peers.sh: for the default target without contraction, as Thrum is, and for this machine's own
// processor.
#include "../CBenchmark/Sine.h"
#include "score.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 64

static void add(float *restrict out, long frames, uint32_t phase, uint32_t step, float level, float slope) {
    for (long frame = 0; frame < frames; frame++)
        out[frame] += sine(phase + step * (uint32_t)frame) * (level + slope * (float)(int32_t)frame);
}

// A corner of an envelope.
struct corner {
    long frame;
    float level;
};

// Adds a voice's part of a block that begins at a frame of its own.
static void add_block(float *out, long first, long frames, const struct corner *corners, int count, uint32_t step,
                      float amplitude) {
    for (int index = 0; index + 1 < count; index++) {
        long begin = corners[index].frame, end = corners[index + 1].frame;
        long from = begin > first ? begin : first, to = end < first + frames ? end : first + frames;
        if (from >= to) continue;
        float slope = (corners[index + 1].level - corners[index].level) / (float)(end - begin) * amplitude;
        add(out + (from - first), to - from, step * (uint32_t)from, step,
            corners[index].level * amplitude + slope * (float)(from - begin), slope);
    }
}

static void write_header(FILE *file, uint32_t rate, uint32_t frames) {
    uint32_t words[] = {0x46464952, 36 + 4 * frames, 0x45564157, 0x20746d66, 16,        0x00010003,
                        rate,       4 * rate,        0x00200004, 0x61746164, 4 * frames};
    fwrite(words, sizeof words, 1, file);
}

int main(int count, char **arguments) {
    if (count != 7) return 2;
    struct score score = score_read(arguments + 1);
    FILE *file = fopen(arguments[6], "w");
    // In large pieces: small ones cost more than the arithmetic.
    if (!file || setvbuf(file, NULL, _IOFBF, 1 << 18) != 0) return 1;
    double rate = score.rate, decay = score_decay(&score);
    const struct corner tone[] = {{0, 0},
                                  {lround(SCORE_ATTACK * rate), 1},
                                  {lround((SCORE_ATTACK + decay) * rate), SCORE_HELD},
                                  {lround(score_tone_seconds(&score) * rate), SCORE_HELD},
                                  {lround(score.seconds * rate), 0}};
    const struct corner tap[] = {
        {0, 0}, {lround(SCORE_TAP_ATTACK * rate), 1}, {lround((SCORE_TAP_ATTACK + SCORE_TAP_FALL) * rate), 0}};
    uint32_t *steps = malloc(sizeof *steps * (size_t)score.count);
    float *amplitudes = malloc(sizeof *amplitudes * (size_t)score.count);
    if (!steps || !amplitudes) return 1;
    for (long voice = 0; voice < score.count; voice++) {
        steps[voice] = (uint32_t)llround(score_hertz(&score, voice) / rate * 4294967296.0);
        // Of taps there are 97 kinds.
        amplitudes[voice] = voice >= 97 && score.is_taps ? amplitudes[voice - 97] : (float)score_amplitude(&score, voice);
    }
    long frames = lround(score.seconds * rate), distance = lround(SCORE_TAP_DISTANCE * rate);
    write_header(file, (uint32_t)rate, (uint32_t)(frames * score.repeats));
    for (long repeat = 0, first = 0; repeat < score.repeats; first += BLOCK) {
        if (first >= frames) {
            first = -BLOCK;
            repeat++;
            continue;
        }
        float block[BLOCK] = {0};
        long size = frames - first < BLOCK ? frames - first : BLOCK;
        if (score.is_taps) {
            // Only those that sound.
            long from = first / distance - 1;
            for (long voice = from < 0 ? 0 : from; voice < score.count && voice * distance < first + size; voice++) {
                long begin = voice * distance, skipped = begin > first ? begin - first : 0;
                add_block(block + skipped, first + skipped - begin, size - skipped, tap, 3, steps[voice],
                          amplitudes[voice]);
            }
        } else {
            for (long voice = 0; voice < score.count; voice++)
                add_block(block, first, size, tone, 5, steps[voice], amplitudes[voice]);
        }
        fwrite(block, sizeof *block, (size_t)size, file);
    }
    return fclose(file) == 0 ? 0 : 1;
}

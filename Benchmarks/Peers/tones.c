#include "score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

struct score score_read(char **arguments) {
    struct score score = {strcmp(arguments[0], "taps") == 0, atol(arguments[1]), atof(arguments[2]), atof(arguments[3]),
                          atol(arguments[4])};
    return score;
}

double score_sharpness(const struct score *score, long voice) {
    if (score->is_taps) return 0.25 + 0.5 * (double)(voice % 97) / 97;
    return ((double)voice + 0.5) / (double)score->count;
}

double score_hertz(const struct score *score, long voice) {
    // Through the number that a file holds, so that all engines hear the same.
    double sharpness = (float)score_sharpness(score, voice);
    return score->is_taps ? 80 * pow(5, sharpness) : 80 * pow(230.0 / 80, sharpness);
}

double score_tone_seconds(const struct score *score) { return score->seconds - SCORE_RELEASE; }

double score_decay(const struct score *score) {
    double most = (score_tone_seconds(score) - SCORE_ATTACK) / 2;
    return SCORE_DECAY < most ? SCORE_DECAY : most;
}

double score_amplitude(const struct score *score, long voice) {
    if (!score->is_taps) return SCORE_LEVEL / (double)score->count;
    double energy = 0, step = 1 / score->rate;
    for (double time = 0; time < SCORE_TAP_ATTACK + SCORE_TAP_FALL; time += step) {
        double level = time < SCORE_TAP_ATTACK ? time / SCORE_TAP_ATTACK
                                               : 1 - (time - SCORE_TAP_ATTACK) / SCORE_TAP_FALL;
        double value = level * sin(2 * pi * score_hertz(score, voice) * time);
        energy += value * value * step;
    }
    return sqrt(0.0008 / energy);
}

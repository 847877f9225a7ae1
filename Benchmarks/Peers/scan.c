// The limit for short files of many taps: reads an AHAP file by looking for the few keys it knows, and renders its taps as damped
// sines by a recurrence, to a WAV file of Float32 at 8 kHz. It knows no mistakes, no curves and no tones.
//
//   scan IN.ahap OUT.wav
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATE 8000
#define TAP_FRAMES 248

// The number behind the next place of a text, and the place behind it; NULL where there is none.
static const char *number_after(const char *from, const char *end, const char *text, double *value) {
    const char *found = strstr(from, text);
    if (!found || found >= end) return NULL;
    found += strlen(text);
    while (*found == ' ' || *found == ':' || *found == '"') found++;
    char *behind;
    *value = strtod(found, &behind);
    return behind;
}

static void add_tap(float *out, double intensity, double sharpness) {
    double turn = 2 * 3.14159265358979323846 * 80 * pow(5, sharpness) / RATE, decay = exp(-1.0 / 48);
    double twice = 2 * decay * cos(turn), square = decay * decay, before = 0, now = intensity * decay * sin(turn);
    for (int frame = 0; frame < TAP_FRAMES; frame++) {
        out[frame] += (float)now;
        double next = twice * now - square * before;
        before = now;
        now = next;
    }
}

int main(int count, char **arguments) {
    FILE *file = count == 3 ? fopen(arguments[1], "r") : NULL;
    if (!file) return 2;
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(size + 1);
    if (!text || fread(text, 1, size, file) != size) return 1;
    text[size] = 0;
    fclose(file);
    size_t frames = 0, capacity = 0;
    float *out = NULL;
    for (const char *place = strstr(text, "\"Event\""); place;) {
        const char *next = strstr(place + 1, "\"Event\""), *end = next ? next : text + size;
        double time = 0, intensity = 1, sharpness = 0.5;
        number_after(place, end, "\"Time\"", &time);
        const char *parameter = strstr(place, "\"HapticIntensity\"");
        if (parameter && parameter < end) number_after(parameter, end, "\"ParameterValue\"", &intensity);
        parameter = strstr(place, "\"HapticSharpness\"");
        if (parameter && parameter < end) number_after(parameter, end, "\"ParameterValue\"", &sharpness);
        size_t first = (size_t)(time * RATE + 0.5);
        if (first + TAP_FRAMES > capacity) {
            size_t more = 2 * (first + TAP_FRAMES);
            float *larger = realloc(out, more * sizeof *out);
            if (!larger) return 1;
            memset(larger + capacity, 0, (more - capacity) * sizeof *out);
            out = larger;
            capacity = more;
        }
        add_tap(out + first, intensity, sharpness);
        if (first + TAP_FRAMES > frames) frames = first + TAP_FRAMES;
        place = next;
    }
    file = fopen(arguments[2], "w");
    if (!file) return 1;
    uint32_t words[] = {0x46464952, (uint32_t)(36 + 4 * frames), 0x45564157, 0x20746d66, 16,        0x00010003,
                        RATE,       4 * RATE,                    0x00200004, 0x61746164, (uint32_t)(4 * frames)};
    fwrite(words, sizeof words, 1, file);
    fwrite(out, sizeof *out, frames, file);
    return fclose(file) == 0 ? 0 : 1;
}

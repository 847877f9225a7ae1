#include "CBenchmark.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A text in double quotes that begins at `at`; the place behind it.
static const char *text_end(const char *at) {
    at++;
    while (*at && *at != '"') at += *at == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

static int is_key(const char *at, const char *key) { return strncmp(at + 1, key, strlen(key)) == 0; }

size_t thrum_scan_events(const char *text, thrum_scanned_event *events, size_t capacity) {
    size_t count = 0;
    thrum_scanned_event event;
    float *value = NULL;
    memset(&event, 0, sizeof event);
    for (const char *at = text; *at;) {
        if (*at != '"') {
            at++;
            continue;
        }
        const char *end = text_end(at);
        if (is_key(at, "Event\"")) {
            if (count > 0 && count <= capacity) events[count - 1] = event;
            count++;
            memset(&event, 0, sizeof event);
        } else if (is_key(at, "HapticContinuous\"")) {
            event.is_continuous = 1;
        } else if (is_key(at, "HapticIntensity\"")) {
            value = &event.intensity;
        } else if (is_key(at, "HapticSharpness\"")) {
            value = &event.sharpness;
        } else if (is_key(at, "Time\"") || is_key(at, "EventDuration\"") || is_key(at, "ParameterValue\"")) {
            const char *number = end;
            while (*number == ':' || *number == ' ') number++;
            char *rest;
            double read = strtod(number, &rest);
            if (is_key(at, "Time\"")) {
                event.time = read;
            } else if (is_key(at, "EventDuration\"")) {
                event.duration = read;
            } else if (value) {
                *value = (float)read;
            }
            end = rest;
        }
        at = end;
    }
    if (count > 0 && count <= capacity) events[count - 1] = event;
    return count;
}

void thrum_render_events(const thrum_scanned_event *events, size_t count, float *out, size_t frames) {
    const size_t length = 176;
    const double decay = exp(-0.02);
    for (size_t i = 0; i < count; i++) {
        size_t first = (size_t)(events[i].time * 8000.0 + 0.5);
        double step = 6.283185307179586 * (80.0 + 150.0 * events[i].sharpness) / 8000.0;
        // Two multiplications a frame: a damped sine is the sum of its last two values.
        double turn = 2.0 * decay * cos(step), damping = decay * decay;
        double before = -events[i].intensity * sin(step) / decay, now = 0.0;
        for (size_t frame = first; frame < first + length && frame < frames; frame++) {
            out[frame] += (float)now;
            double next = turn * now - damping * before;
            before = now;
            now = next;
        }
    }
}

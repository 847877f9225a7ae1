#include "TestCardActuator.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHANNELS = 8, MOST_MASSES = 2, STEPS = 4 };

enum sensor { SENSE_ACCELERATION, SENSE_VELOCITY, SENSE_CURRENT, SENSE_DRIVE };

// All in units of their steady amplitude at resonance for a drive of amplitude 1.
struct motion {
    double displacement, velocity;
};

struct card_actuator {
    int masses;
    double hertz[MOST_MASSES], q[MOST_MASSES];
    enum sensor sensor;
    double share;
    struct motion motions[MOST_CHANNELS][MOST_MASSES];
    double last_drive[MOST_CHANNELS];
    int64_t next[MOST_CHANNELS];
};

int card_actuator_read(struct card_actuator **actuator, const char *resonances, const char *sensor) {
    struct card_actuator *made = calloc(1, sizeof *made);
    if (!made) return -ENOMEM;
    int count = 0, end = 0, is_right;
    const char *at = resonances;
    while (count < MOST_MASSES && sscanf(at, "%lf %lf%n", &made->hertz[count], &made->q[count], &end) == 2) {
        at += end;
        count++;
    }
    made->masses = count;
    is_right = count > 0 && at[strspn(at, " ")] == 0;
    for (int mass = 0; mass < count; mass++) is_right = is_right && made->hertz[mass] > 0 && made->q[mass] > 0;
    if (!sensor || strcmp(sensor, "acceleration") == 0)
        made->sensor = SENSE_ACCELERATION;
    else if (strcmp(sensor, "velocity") == 0)
        made->sensor = SENSE_VELOCITY;
    else if (strcmp(sensor, "drive") == 0)
        made->sensor = SENSE_DRIVE;
    else if (sscanf(sensor, "current %lf", &made->share) == 1)
        made->sensor = SENSE_CURRENT;
    else
        is_right = 0;
    for (int channel = 0; channel < MOST_CHANNELS; channel++) made->next[channel] = INT64_MIN;
    if (!is_right) {
        free(made);
        return -EINVAL;
    }
    *actuator = made;
    return 0;
}

void card_actuator_free(struct card_actuator *actuator) { free(actuator); }

static struct motion slope(struct motion now, double drive, double omega, double q) {
    return (struct motion){omega * now.velocity, omega * ((drive - now.velocity) / q - now.displacement)};
}

static struct motion along(struct motion now, struct motion slope, double time) {
    return (struct motion){now.displacement + time * slope.displacement, now.velocity + time * slope.velocity};
}

// Runge and Kutta's four slopes, several times a frame, the drive a straight line: at 48 kHz and 200 Hz the error of a frame is
// under 1e-12.
static struct motion moved(struct motion now, double from, double to, double omega, double q, double seconds) {
    double step = seconds / STEPS;
    for (int part = 0; part < STEPS; part++) {
        double first = from + (to - from) * part / STEPS, last = from + (to - from) * (part + 1) / STEPS;
        double middle = (first + last) / 2;
        struct motion a = slope(now, first, omega, q), b = slope(along(now, a, step / 2), middle, omega, q);
        struct motion c = slope(along(now, b, step / 2), middle, omega, q), d = slope(along(now, c, step), last, omega, q);
        now.displacement += step / 6 * (a.displacement + 2 * b.displacement + 2 * c.displacement + d.displacement);
        now.velocity += step / 6 * (a.velocity + 2 * b.velocity + 2 * c.velocity + d.velocity);
    }
    return now;
}

double card_actuator_move(struct card_actuator *actuator, int64_t place, unsigned channel, double drive, unsigned rate) {
    if (channel >= MOST_CHANNELS) return 0;
    if (place != actuator->next[channel]) {
        memset(actuator->motions[channel], 0, sizeof actuator->motions[channel]);
        actuator->last_drive[channel] = 0;
    }
    actuator->next[channel] = place + 1;
    double told = actuator->sensor == SENSE_CURRENT || actuator->sensor == SENSE_DRIVE ? drive : 0;
    for (int mass = 0; mass < actuator->masses; mass++) {
        struct motion *motion = &actuator->motions[channel][mass];
        double q = actuator->q[mass];
        *motion = moved(*motion, actuator->last_drive[channel], drive, 2 * M_PI * actuator->hertz[mass], q, 1.0 / rate);
        switch (actuator->sensor) {
        case SENSE_ACCELERATION: told += (drive - motion->velocity) / q - motion->displacement; break;
        case SENSE_VELOCITY: told += motion->velocity; break;
        case SENSE_CURRENT: told -= actuator->share * motion->velocity; break;
        case SENSE_DRIVE: break;
        }
    }
    actuator->last_drive[channel] = drive;
    return told;
}

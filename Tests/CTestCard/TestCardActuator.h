#pragma once
#include <stdint.h>

// What a wire drives and a sensor listens to: one or two masses on springs, one such for each channel.
struct card_actuator;

// Reads "F0 Q" or "F0 Q F0 Q", in Hz, and what the sensor tells: "acceleration" (also where it is NULL), "velocity",
// "current SHARE", with the share of the drive that the back-EMF has at resonance, or "drive", what comes over the wire itself.
// Returns 0, -EINVAL or -ENOMEM.
int card_actuator_read(struct card_actuator **actuator, const char *resonances, const char *sensor);

void card_actuator_free(struct card_actuator *actuator);

// Moves a channel's actuator on to a place of the wire's time and returns what the sensor tells. Places of a channel come one
// after the other; after a gap it is at rest.
double card_actuator_move(struct card_actuator *actuator, int64_t place, unsigned channel, double drive, unsigned rate);

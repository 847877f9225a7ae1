#pragma once
#include "TestCard.h"

// What happens to sound on its way over a wire, and who is at its ends.

// Says that a playing card is on its wire, or leaves it.
void card_wire_add(struct card *card);
void card_wire_remove(struct card *card);

// Takes over the delay, gain and noise of the configuration.
void card_wire_set_up(struct card *card, const char *delay, const char *gain, const char *noise);

// The place of the wire's time on which the running stream's frame 0 falls.
int64_t card_wire_start(struct card *card);

// Puts what a card plays onto its wire, up to a frame of the stream.
void card_wire_put(struct card *card, int64_t frame);

// What a capture card hears from its stream's frame on: the other cards are brought up to date first.
void card_wire_hear(struct card *card, int64_t frame, char *frames, size_t count, int64_t now);

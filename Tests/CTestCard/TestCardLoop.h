#pragma once
#include <stddef.h>
#include <stdint.h>

// A wire from a card's output to a card's input: the bytes that sounded, by the time at which they did.
struct card_loop;

// The wire of a name, made at the first call; NULL without memory.
struct card_loop *card_loop_named(const char *name);

// Says that a frame sounds at a place of the wire's time, which is counted in frames of its rate from time 0.
void card_loop_put(struct card_loop *loop, int64_t place, const void *frame, size_t frame_bytes);

// Reads frames from a place on; zeros where nothing sounded, or too long ago.
void card_loop_get(struct card_loop *loop, int64_t place, void *frames, size_t count, size_t frame_bytes);

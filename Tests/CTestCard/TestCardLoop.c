#include "TestCardLoop.h"

#include <stdlib.h>
#include <string.h>

enum { LOOP_FRAMES = 1 << 18, LARGEST_FRAME = 32 };

struct card_loop {
    struct card_loop *next;
    char *name;
    // Each slot with the place it holds, so that an old frame is told from a new one.
    int64_t places[LOOP_FRAMES];
    size_t frame_bytes;
    char frames[LOOP_FRAMES * LARGEST_FRAME];
};

// Kept to the end of the process, as wires are; under the clock's lock.
static struct card_loop *loops;

struct card_loop *card_loop_named(const char *name) {
    for (struct card_loop *loop = loops; loop; loop = loop->next)
        if (strcmp(loop->name, name) == 0) return loop;
    struct card_loop *loop = calloc(1, sizeof *loop);
    if (!loop) return NULL;
    loop->name = strdup(name);
    if (!loop->name) {
        free(loop);
        return NULL;
    }
    memset(loop->places, -1, sizeof loop->places);
    loop->next = loops;
    loops = loop;
    return loop;
}

void card_loop_put(struct card_loop *loop, int64_t place, const void *frame, size_t frame_bytes) {
    if (place < 0 || frame_bytes > LARGEST_FRAME) return;
    size_t slot = (size_t)(place % LOOP_FRAMES);
    loop->places[slot] = place;
    loop->frame_bytes = frame_bytes;
    memcpy(loop->frames + slot * LARGEST_FRAME, frame, frame_bytes);
}

void card_loop_get(struct card_loop *loop, int64_t place, void *frames, size_t count, size_t frame_bytes) {
    memset(frames, 0, count * frame_bytes);
    // A card of another format hears nothing.
    if (frame_bytes != loop->frame_bytes) return;
    for (size_t index = 0; index < count; index++) {
        int64_t wanted = place + (int64_t)index;
        size_t slot = (size_t)((wanted < 0 ? 0 : wanted) % LOOP_FRAMES);
        if (wanted < 0 || loop->places[slot] != wanted) continue;
        memcpy((char *)frames + index * frame_bytes, loop->frames + slot * LARGEST_FRAME, frame_bytes);
    }
}

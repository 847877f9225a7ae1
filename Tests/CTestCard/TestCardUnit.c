#include "TestCardUnit.h"

#include <stdlib.h>
#include <string.h>

// Kept to the end of the process, as cards are; under the clock's lock.
static struct card_unit *units;

struct card_unit *card_unit_named(const char *name) {
    for (struct card_unit *unit = units; name && unit; unit = unit->next)
        if (strcmp(unit->name, name) == 0) return unit;
    struct card_unit *unit = calloc(1, sizeof *unit);
    if (!unit || !name) return unit;
    unit->name = strdup(name);
    if (!unit->name) {
        free(unit);
        return NULL;
    }
    unit->next = units;
    units = unit;
    return unit;
}

void card_unit_release(struct card_unit *unit) {
    if (!unit || unit->name) return;
    card_script_free(&unit->script);
    free(unit);
}

#include "CNcurses.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct thrum_ncurses_table thrum_ncurses_loaded;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded;
static char load_error[512];

static bool resolve(const char *library, struct thrum_ncurses_table *table) {
    // All symbols now, and out of sight of the libraries that are linked, as Cairo is loaded.
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(load_error, sizeof load_error, "%s", dlerror());
        return false;
    }
#define FIND(place, name) \
    if (!(place = (__typeof__(place))dlsym(handle, name))) { \
        snprintf(load_error, sizeof load_error, "%s has no %s", library, name); \
        dlclose(handle); \
        return false; \
    }
#define X(result, name, parameters, arguments) FIND(table->name, #name)
    THRUM_NCURSES_CALLS(X)
#undef X
    FIND(table->stdscr_place, "stdscr")
#undef FIND
    // Never closed: the table points into it.
    return true;
}

static void load(void) { is_loaded = resolve("libncursesw.so.6", &thrum_ncurses_loaded); }

bool thrum_ncurses_load(void) {
    pthread_once(&once, load);
    return is_loaded;
}

const char *thrum_ncurses_load_error(void) { return load_error; }

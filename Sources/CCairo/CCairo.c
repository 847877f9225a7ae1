#include "CCairo.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct thrum_cairo_table thrum_cairo_loaded;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded;
static char load_error[512];

bool thrum_cairo_resolve(const char *library, struct thrum_cairo_table *table, char *reason, size_t size) {
    // All symbols now: one that is missing shall be told before a picture is begun, not in the middle of it.
    // Local: what Cairo brings along stays out of sight of the libraries that are linked.
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(reason, size, "%s", dlerror());
        return false;
    }
#define X(result, name, parameters, arguments) \
    if (!(table->name = (__typeof__(name) *)dlsym(handle, #name))) { \
        snprintf(reason, size, "%s has no %s", library, #name); \
        dlclose(handle); \
        return false; \
    }
    THRUM_CAIRO_CALLS(X)
#undef X
    // Never closed: the table points into it, and its fonts are kept for the next picture.
    return true;
}

static void load(void) {
    is_loaded = thrum_cairo_resolve("libcairo.so.2", &thrum_cairo_loaded, load_error, sizeof load_error);
}

bool thrum_cairo_load(void) {
    pthread_once(&once, load);
    return is_loaded;
}

const char *thrum_cairo_load_error(void) { return load_error; }

#pragma once
#include <alsa/asoundlib.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <time.h>

// Hidden from programs that are not compiled for GNU's extensions, which a module cannot ask for.
extern int ppoll(struct pollfd *entries, nfds_t count, const struct timespec *time, const sigset_t *signals);

// Swift cannot name a variadic function, which the type of alsa-lib's error handler is, nor write one.
static void thrum_alsa_swallow(const char *file, int line, const char *function, int code, const char *format,
                               ...) {
    (void)file, (void)line, (void)function, (void)code, (void)format;
}

// Lets alsa-lib print its own diagnostics on standard error (its default), or swallows them; for the whole
// process.
static inline int thrum_alsa_show_diagnostics(int visible) {
    return snd_lib_error_set_handler(visible ? NULL : thrum_alsa_swallow);
}

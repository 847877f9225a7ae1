#pragma once
#include <alsa/asoundlib.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Hidden from programs that are not compiled for GNU's extensions, which a module cannot ask for.
extern pid_t gettid(void);
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

// Keeps the calling thread on one processor; returns the error number where it cannot be.
static inline int thrum_keep_on_processor(int processor) {
    unsigned long set[16] = {0};
    if (processor < 0 || processor >= 1024) return EINVAL;
    set[processor / 64] = 1UL << (processor % 64);
    return syscall(SYS_sched_setaffinity, 0, sizeof set, set) < 0 ? errno : 0;
}

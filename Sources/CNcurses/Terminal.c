#define _GNU_SOURCE
#include "CNcurses.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// Signals by which a process dies of a mistake of its own, or of ctrl-\.
static const int deaths[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGQUIT, SIGSYS};
enum { death_count = sizeof deaths / sizeof deaths[0] };
static const int events[] = {SIGTSTP, SIGCONT, SIGWINCH};
enum { event_count = sizeof events / sizeof events[0] };

// Written by the main thread before is_held is set, read by handlers only while it is.
static struct termios found;
// The same without line editing, for thrum_terminal_take_keys.
static struct termios keys;
static char restore_text[512];
static size_t restore_size;
static atomic_bool is_held;
static pthread_t drawing_thread;
static atomic_bool is_dying;
static atomic_bool is_parked;

static struct sigaction old_deaths[death_count];
static struct sigaction old_park;
static struct sigaction old_events[event_count];
static int pipe_ends[2] = {-1, -1};
// What standard error was, and the memory that takes its place; -1 where it is left alone.
static int old_errors = -1;
static int held_errors = -1;
static off_t told_errors;

bool thrum_terminal_note(void) { return tcgetattr(STDIN_FILENO, &found) == 0; }

static void write_all(int descriptor, const char *text, size_t size) {
    while (size > 0) {
        ssize_t count = write(descriptor, text, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        text += count;
        size -= (size_t)count;
    }
}

// Async-signal-safe.
static void give_back_errors(void) {
    int errors = old_errors;
    if (errors < 0) return;
    old_errors = -1;
    dup2(errors, STDERR_FILENO);
    char text[1024];
    for (off_t place = 0;;) {
        ssize_t count = pread(held_errors, text, sizeof text, place);
        if (count <= 0) break;
        write_all(STDERR_FILENO, text, (size_t)count);
        place += count;
    }
    close(errors);
    close(held_errors);
}

void thrum_terminal_restore(void) {
    int error = errno;
    // Ordering: acquires what thrum_terminal_set_held published; of a handler and the main thread only one restores.
    if (atomic_exchange_explicit(&is_held, false, memory_order_acq_rel)) {
        // In the background the terminal is another's, and setting it would stop the process that is to end.
        if (tcgetpgrp(STDIN_FILENO) == getpgrp()) {
            write_all(STDOUT_FILENO, restore_text, restore_size);
            tcsetattr(STDIN_FILENO, TCSANOW, &found);
        }
    }
    give_back_errors();
    errno = error;
}

// The main thread, which draws, waits here for the end of the process once another one has crashed.
static void park(int number) {
    (void)number;
    // Sent by somebody else it means nothing.
    if (!atomic_load_explicit(&is_dying, memory_order_acquire)) return;
    thrum_terminal_restore();
    atomic_store_explicit(&is_parked, true, memory_order_release);
    for (;;) pause();
}

static void die(int number) {
    if (!pthread_equal(pthread_self(), drawing_thread)) {
        // What it draws after the terminal was put back would stay there.
        atomic_store_explicit(&is_dying, true, memory_order_release);
        pthread_kill(drawing_thread, SIGURG);
        struct timespec millisecond = {.tv_nsec = 1000000};
        for (int i = 0; i < 200 && !atomic_load_explicit(&is_parked, memory_order_acquire); i++)
            nanosleep(&millisecond, NULL);
    }
    thrum_terminal_restore();
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigemptyset(&usual.sa_mask);
    sigaction(number, &usual, NULL);
    // It stands at the door until this handler returns, and then ends the process as it would have ended.
    raise(number);
}

static void note_event(int number) {
    int error = errno;
    char letter = number == SIGTSTP ? 'Z' : number == SIGCONT ? 'C' : 'W';
    // A full pipe holds enough letters already.
    if (write(pipe_ends[1], &letter, 1) != 1) errno = error;
    errno = error;
}

static void hold_errors_back(void) {
    if (!isatty(STDERR_FILENO)) return;
    int memory = memfd_create("standard error", MFD_CLOEXEC);
    if (memory < 0) return;
    int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (kept < 0 || fcntl(memory, F_SETFL, O_APPEND) != 0 || dup2(memory, STDERR_FILENO) < 0) {
        if (kept >= 0) close(kept);
        close(memory);
        return;
    }
    held_errors = memory;
    told_errors = 0;
    old_errors = kept;
}

static void catch_with(int number, void (*handler)(int), struct sigaction *old) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, old);
}

// Has whatever ends the process put the terminal back first. The calling thread is the one that draws.
static void guard_deaths(void) {
    // A stack that has overflowed cannot carry the handler.
    stack_t stack = {.ss_size = 1 << 16};
    stack.ss_sp = malloc(stack.ss_size);
    if (stack.ss_sp && sigaltstack(&stack, NULL) != 0) free(stack.ss_sp);
    drawing_thread = pthread_self();
    struct sigaction parking = {.sa_handler = park};
    sigfillset(&parking.sa_mask);
    sigaction(SIGURG, &parking, &old_park);
    for (int i = 0; i < death_count; i++) {
        struct sigaction action = {.sa_handler = die, .sa_flags = SA_ONSTACK};
        sigemptyset(&action.sa_mask);
        sigaction(deaths[i], &action, &old_deaths[i]);
    }
}

void thrum_terminal_take(const char *restore, size_t size) {
    restore_size = size < sizeof restore_text ? size : sizeof restore_text;
    memcpy(restore_text, restore, restore_size);
    if (pipe_ends[0] < 0 && pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) != 0) pipe_ends[0] = pipe_ends[1] = -1;
    guard_deaths();
    for (int i = 0; i < event_count; i++) catch_with(events[i], note_event, &old_events[i]);
    hold_errors_back();
    thrum_terminal_set_held(true);
}

static void stop_keys(int number);

static void go_on_with_keys(int number) {
    (void)number;
    int error = errno;
    catch_with(SIGTSTP, stop_keys, NULL);
    // In the background the terminal is another's.
    if (atomic_load_explicit(&is_held, memory_order_acquire) && tcgetpgrp(STDIN_FILENO) == getpgrp())
        tcsetattr(STDIN_FILENO, TCSANOW, &keys);
    errno = error;
}

// ctrl-Z: the shell gets its terminal back, then the process stops as it would have.
static void stop_keys(int number) {
    int error = errno;
    if (atomic_load_explicit(&is_held, memory_order_acquire)) tcsetattr(STDIN_FILENO, TCSANOW, &found);
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigemptyset(&usual.sa_mask);
    sigaction(SIGTSTP, &usual, NULL);
    kill(getpid(), SIGTSTP);
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &mask, NULL);
    // Here again when the shell lets it go on; at once where nobody could, for then it was not stopped.
    go_on_with_keys(number);
    errno = error;
}

bool thrum_terminal_take_keys(void) {
    if (!thrum_terminal_note()) return false;
    keys = found;
    // Signals stay: ctrl-C has to end this.
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    restore_size = 0;
    guard_deaths();
    catch_with(SIGTSTP, stop_keys, NULL);
    catch_with(SIGCONT, go_on_with_keys, NULL);
    thrum_terminal_set_held(true);
    return tcsetattr(STDIN_FILENO, TCSADRAIN, &keys) == 0;
}

void thrum_terminal_set_held(bool held) {
    // Ordering: publishes what was noted to the handlers; pairs with the exchange in thrum_terminal_restore.
    atomic_store_explicit(&is_held, held, memory_order_release);
}

void thrum_terminal_release(void) {
    thrum_terminal_set_held(false);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &found);
    for (int i = 0; i < death_count; i++) sigaction(deaths[i], &old_deaths[i], NULL);
    sigaction(SIGURG, &old_park, NULL);
    for (int i = 0; i < event_count; i++) sigaction(events[i], &old_events[i], NULL);
    give_back_errors();
}

int thrum_terminal_signals(void) { return pipe_ends[0]; }

void thrum_terminal_stop(void) {
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigemptyset(&usual.sa_mask);
    struct sigaction ours;
    sigaction(SIGTSTP, &usual, &ours);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &found);
    thrum_terminal_set_held(false);
    // To this thread, so that it stops before the call returns; the rest of the job got the key's signal itself.
    pthread_kill(pthread_self(), SIGTSTP);
    // Here again when the shell lets it go on; at once where nobody could, for then it was not stopped.
    sigaction(SIGTSTP, &ours, NULL);
    thrum_terminal_set_held(true);
}

bool thrum_terminal_size(int *rows, int *columns) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return false;
    *rows = size.ws_row;
    *columns = size.ws_col;
    return true;
}

size_t thrum_terminal_take_errors(char *text, size_t size) {
    struct stat status;
    if (old_errors < 0 || fstat(held_errors, &status) != 0 || status.st_size <= told_errors) return 0;
    off_t start = told_errors;
    if (status.st_size - start > (off_t)size) start = status.st_size - (off_t)size;
    told_errors = status.st_size;
    ssize_t count = pread(held_errors, text, size, start);
    return count > 0 ? (size_t)count : 0;
}

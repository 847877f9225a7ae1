#define _GNU_SOURCE
#include "CAllocationProbe.h"

#include <malloc.h>

#ifndef __has_feature
#define __has_feature(name) 0
#endif

#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)

bool thrum_probe_is_built(void) { return false; }
void thrum_probe_begin(void) {}
void thrum_probe_end(void) {}
struct thrum_probe_counts thrum_probe_read(void) { return (struct thrum_probe_counts){0}; }

#else

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// Thread-local storage of the program itself: reading it allocates nothing.
static __thread bool is_counting;
static __thread struct thrum_probe_counts counts;

bool thrum_probe_is_built(void) { return true; }
void thrum_probe_begin(void) { is_counting = true; }
void thrum_probe_end(void) { is_counting = false; }
struct thrum_probe_counts thrum_probe_read(void) { return counts; }

#define COUNT(field) \
    do { \
        if (is_counting) counts.field++; \
    } while (0)

// The C library's function behind one of ours, looked up at its first call. Two threads that look it up at once find the
// same. `dlsym` may allocate, which is why the allocator below is reached by its other names.
#define NEXT(name) \
    ({ \
        static __typeof__(&name) next; \
        __typeof__(&name) found = __atomic_load_n(&next, __ATOMIC_RELAXED); \
        if (!found) { \
            found = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
            __atomic_store_n(&next, found, __ATOMIC_RELAXED); \
        } \
        found; \
    })

// The allocator.

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t size) {
    COUNT(allocations);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    COUNT(allocations);
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    COUNT(allocations);
    return __libc_realloc(memory, size);
}

void free(void *memory) {
    COUNT(frees);
    __libc_free(memory);
}

void *memalign(size_t alignment, size_t size) {
    COUNT(allocations);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    bool is_power = alignment != 0 && (alignment & (alignment - 1)) == 0;
    if (!is_power || alignment % sizeof(void *) != 0) return EINVAL;
    void *found = memalign(alignment, size);
    if (!found) return ENOMEM;
    *memory = found;
    return 0;
}

// Locks and waits.

#define ONE(field, name, type) \
    int name(type *object) { \
        COUNT(field); \
        return NEXT(name)(object); \
    }

ONE(locks, pthread_mutex_lock, pthread_mutex_t)
ONE(locks, pthread_mutex_trylock, pthread_mutex_t)
ONE(locks, pthread_rwlock_rdlock, pthread_rwlock_t)
ONE(locks, pthread_rwlock_wrlock, pthread_rwlock_t)
ONE(waits, sem_wait, sem_t)

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    COUNT(waits);
    return NEXT(pthread_cond_wait)(condition, mutex);
}

int pthread_cond_timedwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
    COUNT(waits);
    return NEXT(pthread_cond_timedwait)(condition, mutex, time);
}

int nanosleep(const struct timespec *time, struct timespec *left) {
    COUNT(waits);
    return NEXT(nanosleep)(time, left);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
    COUNT(waits);
    return NEXT(clock_nanosleep)(clock, flags, time, left);
}

int poll(struct pollfd *files, nfds_t count, int timeout) {
    COUNT(waits);
    return NEXT(poll)(files, count, timeout);
}

long syscall(long number, ...) {
    COUNT(waits);
    va_list list;
    va_start(list, number);
    long a[6];
    for (int index = 0; index < 6; index++) a[index] = va_arg(list, long);
    va_end(list);
    return NEXT(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

// Files.

ssize_t write(int file, const void *bytes, size_t count) {
    COUNT(files);
    return NEXT(write)(file, bytes, count);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    COUNT(files);
    return NEXT(writev)(file, parts, count);
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file) {
    COUNT(files);
    return NEXT(fwrite)(bytes, size, count, file);
}

#define MODE(flags) \
    ({ \
        mode_t mode = 0; \
        if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) { \
            va_list list; \
            va_start(list, flags); \
            mode = va_arg(list, mode_t); \
            va_end(list); \
        } \
        mode; \
    })

int open(const char *path, int flags, ...) {
    COUNT(files);
    return NEXT(open)(path, flags, MODE(flags));
}

int open64(const char *path, int flags, ...) {
    COUNT(files);
    return NEXT(open64)(path, flags, MODE(flags));
}

int openat(int folder, const char *path, int flags, ...) {
    COUNT(files);
    return NEXT(openat)(folder, path, flags, MODE(flags));
}

#endif

size_t thrum_probe_allocated_bytes(const void *memory) { return malloc_usable_size((void *)memory); }

#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Counts what a thread does between two marks that could make it wait. The test program's own malloc, pthread_mutex_lock
// and so on take the place of the C library's, count on threads that asked for it, and hand on.

// What one thread did while it counted.
struct thrum_probe_counts {
    // malloc, calloc, realloc, posix_memalign, aligned_alloc, memalign.
    uint64_t allocations;
    uint64_t frees;
    // pthread_mutex_lock and trylock, pthread_rwlock_rdlock and wrlock.
    uint64_t locks;
    // pthread_cond_wait and timedwait, sem_wait, nanosleep, clock_nanosleep, poll, and syscall (by which Swift waits for
    // its own locks).
    uint64_t waits;
    // write, writev, fwrite, open, open64, openat.
    uint64_t files;
};

// Whether the counting functions are in: not under the thread and address sanitizers, which bring their own.
bool thrum_probe_is_built(void);

// Begins to count on the calling thread, on top of what it counted before.
void thrum_probe_begin(void);

// Ends counting on the calling thread.
void thrum_probe_end(void);

// What the calling thread has counted.
struct thrum_probe_counts thrum_probe_read(void);

// The bytes of an allocation, as the allocator sees it: what was asked for and a little more. The pointer is to its beginning.
size_t thrum_probe_allocated_bytes(const void *memory);

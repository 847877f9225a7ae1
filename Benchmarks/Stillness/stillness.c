// Tells when a processor stood still: a timer of 1 ms that knows nothing of Thrum, on one processor, with a higher priority than
// any render thread. Whatever makes it late, a host that takes the processor or a kernel that does not give it up, makes late what
// has less.
//
//   stillness SECONDS PROCESSOR    a line for each time it was late by 1 ms or more: from when to when, ns of the monotonic clock
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

static int64_t nanoseconds(struct timespec time) { return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec; }

int main(int count, char **arguments) {
    if (count != 3) return 2;
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(atoi(arguments[2]), &processors);
    struct sched_param priority = {.sched_priority = 50};
    if (sched_setaffinity(0, sizeof processors, &processors) != 0 || sched_setscheduler(0, SCHED_FIFO, &priority) != 0 ||
        mlockall(MCL_CURRENT | MCL_FUTURE) != 0) {
        perror("stillness");
        return 1;
    }
    struct timespec next, now;
    clock_gettime(CLOCK_MONOTONIC, &next);
    int64_t end = nanoseconds(next) + atoll(arguments[1]) * 1000000000;
    while (nanoseconds(next) < end) {
        next.tv_nsec += 1000000;
        if (next.tv_nsec >= 1000000000) {
            next.tv_nsec -= 1000000000;
            next.tv_sec++;
        }
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL) != 0) {}
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (nanoseconds(now) - nanoseconds(next) < 1000000) continue;
        printf("%lld %lld\n", (long long)nanoseconds(next), (long long)nanoseconds(now));
        fflush(stdout);
        next = now;
    }
    return 0;
}

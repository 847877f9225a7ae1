#include "TestCardClock.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "CTestCard.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t satisfied = PTHREAD_COND_INITIALIZER;
static struct card_clock_user *users;
static int64_t hand_nanoseconds;
// Threads of programs that are neither waiting for a card nor asleep: the clock stands until they are.
static int awake;

void card_clock_lock(void) { pthread_mutex_lock(&lock); }
void card_clock_unlock(void) { pthread_mutex_unlock(&lock); }
void card_clock_satisfied(void) { pthread_cond_broadcast(&satisfied); }
int64_t card_clock_hand_now(void) { return hand_nanoseconds; }

void card_clock_add(struct card_clock_user *user) {
    user->next = users;
    users = user;
}

void card_clock_remove(struct card_clock_user *user) {
    for (struct card_clock_user **link = &users; *link; link = &(*link)->next) {
        if (*link == user) {
            *link = user->next;
            break;
        }
    }
    pthread_cond_broadcast(&satisfied);
}

int64_t thrum_card_now(void) {
    card_clock_lock();
    int64_t now = hand_nanoseconds;
    card_clock_unlock();
    return now;
}

static int64_t update_all(void) {
    int64_t next = INT64_MAX;
    int sleepers = 0;
    for (struct card_clock_user *user = users; user; user = user->next) sleepers += user->is_sleeper;
    for (struct card_clock_user *user = users; user; user = user->next) {
        int64_t wanted = user->update(user, hand_nanoseconds);
        if (sleepers > 0 && !user->is_sleeper && wanted <= hand_nanoseconds) continue;
        if (wanted < next) next = wanted;
    }
    return next;
}

int thrum_card_advance(int64_t nanoseconds, int patience_seconds) {
    card_clock_lock();
    int64_t end = hand_nanoseconds + nanoseconds;
    int result = 0;
    for (;;) {
        int64_t next = awake > 0 ? hand_nanoseconds : update_all();
        if (next <= hand_nanoseconds) {
            // Waits in real time only for the program under test, however loaded the machine is.
            struct timespec limit;
            clock_gettime(CLOCK_REALTIME, &limit);
            limit.tv_sec += patience_seconds;
            if (pthread_cond_timedwait(&satisfied, &lock, &limit) == ETIMEDOUT) {
                result = -ETIMEDOUT;
                break;
            }
            continue;
        }
        if (hand_nanoseconds >= end) break;
        hand_nanoseconds = next < end ? next : end;
    }
    card_clock_unlock();
    return result;
}

void thrum_card_jump(int64_t nanoseconds) {
    card_clock_lock();
    hand_nanoseconds += nanoseconds;
    update_all();
    card_clock_unlock();
}

void thrum_card_attend(int change) {
    card_clock_lock();
    awake += change;
    pthread_cond_broadcast(&satisfied);
    card_clock_unlock();
}

struct sleeper {
    struct card_clock_user user;
    int64_t until;
};

static int64_t wake_of_sleeper(struct card_clock_user *user, int64_t now) {
    struct sleeper *sleeper = (struct sleeper *)user;
    if (sleeper->until <= now) pthread_cond_broadcast(&satisfied);
    return sleeper->until;
}

void *thrum_card_rest(int64_t nanoseconds) {
    struct sleeper *rest = malloc(sizeof *rest);
    card_clock_lock();
    awake--;
    if (rest) {
        *rest = (struct sleeper){{NULL, 0, wake_of_sleeper}, hand_nanoseconds + nanoseconds};
        card_clock_add(&rest->user);
    }
    pthread_cond_broadcast(&satisfied);
    card_clock_unlock();
    return rest;
}

void thrum_card_rise(void *rest) {
    card_clock_lock();
    awake++;
    if (rest) card_clock_remove(rest);
    card_clock_unlock();
    free(rest);
}

void thrum_card_sleep(int64_t nanoseconds) {
    card_clock_lock();
    struct sleeper sleeper = {{NULL, 1, wake_of_sleeper}, hand_nanoseconds + nanoseconds};
    card_clock_add(&sleeper.user);
    awake--;
    pthread_cond_broadcast(&satisfied);
    while (hand_nanoseconds < sleeper.until) pthread_cond_wait(&satisfied, &lock);
    awake++;
    card_clock_remove(&sleeper.user);
    card_clock_unlock();
}

#include "TestCardClock.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "CTestCard.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t satisfied = PTHREAD_COND_INITIALIZER;
static struct card_clock_user *users;
static int64_t hand_nanoseconds;

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
    for (struct card_clock_user *user = users; user; user = user->next) {
        int64_t wanted = user->update(user, hand_nanoseconds);
        if (wanted < next) next = wanted;
    }
    return next;
}

int thrum_card_advance(int64_t nanoseconds, int patience_seconds) {
    card_clock_lock();
    int64_t end = hand_nanoseconds + nanoseconds;
    int result = 0;
    for (;;) {
        int64_t next = update_all();
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

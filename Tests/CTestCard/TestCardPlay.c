#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>

#include "TestCard.h"
#include "TestCardWire.h"

int64_t card_now(struct card *card) {
    if (card->is_hand_turned) return card_clock_hand_now();
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// Frames in a million seconds, so that a drift is a whole number.
static int64_t rate_per_million(struct card *card) {
    return (int64_t)card->io.rate * (1000000 + card->drift_per_million);
}

static int64_t frames_in(struct card *card, int64_t nanoseconds) {
    return (int64_t)((__int128)nanoseconds * rate_per_million(card) / 1000000000000000);
}

int64_t card_place(struct card *card, int64_t nanoseconds) { return frames_in(card, nanoseconds); }

// The time at which a frame of the running stream begins, rounded up so that at that time it has.
static int64_t time_of(struct card *card, int64_t frame_of_stream) {
    int64_t rate = rate_per_million(card);
    return card->start_nanoseconds
           + (int64_t)(((__int128)frame_of_stream * 1000000000000000 + rate - 1) / rate);
}

int64_t card_queued(struct card *card) { return card->unit->taken - card->stream_first - card->played; }

int64_t card_told_position(struct card *card, int64_t now) {
    return now < card->stalled_until && card->stalled_at < card->played ? card->stalled_at : card->played;
}

// Readable when the program should look: the timer has run out, or the counter is not zero.
void card_make_readable(struct card *card, int64_t at, int64_t now) {
    if (card->is_hand_turned) {
        eventfd_t count;
        if (at <= now) {
            eventfd_write(card->io.poll_fd, 1);
        } else if (eventfd_read(card->io.poll_fd, &count) < 0 && errno != EAGAIN) {
            perror("test card");
        }
        return;
    }
    struct itimerspec timer = {0};
    // All zero would disarm it.
    if (at < 1) at = 1;
    if (at != INT64_MAX) {
        timer.it_value.tv_sec = at / 1000000000;
        timer.it_value.tv_nsec = at % 1000000000;
    }
    if (timerfd_settime(card->io.poll_fd, TFD_TIMER_ABSTIME, &timer, NULL) < 0) perror("test card");
}

static void log_change(struct card *card, const char *what, int64_t time, const char *why) {
    if (!card->log) return;
    fprintf(card->log, "%s %lld %lld%s%s\n", what, (long long)(card->stream_first + card->played),
            (long long)time, why ? " " : "", why ? why : "");
}

void card_begin_playing(struct card *card, int64_t time) {
    card->start_nanoseconds = 0;
    if (card->loop && !card->is_hand_turned) {
        // On the wire's grid, so that a delay over it is a whole number of frames unless it is meant not to be.
        int64_t place = frames_in(card, time);
        if (time_of(card, place) < time) place++;
        time = time_of(card, place);
    }
    // Frame `played` sounds at the time.
    card->start_nanoseconds = time - time_of(card, card->played);
    card->is_playing = 1;
    card->is_dry = 0;
    card->wired = card->played;
    log_change(card, "play", time, NULL);
}

void card_stop_playing(struct card *card, int64_t time, const char *why) {
    if (!card->is_playing) return;
    card->is_playing = 0;
    log_change(card, "stop", time, why);
}

// Plays to a frame of the stream, over the wire where there is one.
static void play_to(struct card *card, int64_t frame) {
    card_wire_put(card, frame);
    if (frame > card->played) card->played = frame;
}

void card_ran_dry(struct card *card, int64_t time) {
    if (card->hides_xruns) {
        if (!card->is_dry) log_change(card, "stop", time, "dry");
        card->is_dry = 1;
        return;
    }
    card_stop_playing(card, time, "xrun");
    snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_XRUN);
}

static void happen(struct card *card, struct card_happening *happening, int64_t time) {
    happening->done = 1;
    int64_t until = time + happening->amount;
    switch (happening->event) {
    case CARD_XRUN:
        card_stop_playing(card, time, "xrun");
        snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_XRUN);
        break;
    case CARD_SUSPEND:
        card_stop_playing(card, time, "suspend");
        card->unit->suspended_until = happening->amount < INT64_MAX / 8 ? until : 0;
        snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_SUSPENDED);
        break;
    case CARD_UNPLUG:
        card_stop_playing(card, time, "unplug");
        card->unit->absent_until = until;
        snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_DISCONNECTED);
        break;
    case CARD_DIE:
        card_stop_playing(card, time, "die");
        card->unit->dead_until = until;
        snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_XRUN);
        break;
    case CARD_FREEZE:
        // The frame waits; those that were late to be noticed have sounded all the same.
        log_change(card, "stop", time, "freeze");
        card->start_nanoseconds += happening->amount;
        log_change(card, "play", until, NULL);
        break;
    case CARD_STALL:
        card->stalled_at = card->played;
        card->stalled_until = until;
        break;
    case CARD_WAKE: card->wakes += happening->amount; break;
    case CARD_LIE: card->lie = happening->amount; break;
    case CARD_EVENTS: break;
    }
}

// Plays what is due, and lets happen what the script has on the way.
static void play_until(struct card *card, int64_t now) {
    while (card->is_playing && !card->is_dry) {
        int64_t due = frames_in(card, now - card->start_nanoseconds);
        int64_t have = card->unit->taken - card->stream_first;
        int64_t reached = due < have ? due : have;
        if (reached < card->played) reached = card->played;
        struct card_happening *happening = card_script_next(&card->unit->script, card->stream_first + reached);
        if (happening) {
            play_to(card, happening->frame - card->stream_first);
            happen(card, happening, time_of(card, card->played));
            continue;
        }
        play_to(card, reached);
        // The instant at which it ran dry, whenever that is found out.
        if (due >= have) card_ran_dry(card, time_of(card, have));
        return;
    }
}

void card_put_due(struct card *card, int64_t now) {
    if (!card->is_playing || card->is_dry || now < card->start_nanoseconds) return;
    int64_t due = frames_in(card, now - card->start_nanoseconds);
    int64_t have = card->unit->taken - card->stream_first;
    int64_t reached = due < have ? due : have;
    // What a script has in mind for the frames in between comes at the card's own next call.
    struct card_happening *happening = card_script_next(&card->unit->script, card->stream_first + reached);
    if (happening && happening->frame - card->stream_first < reached) reached = happening->frame - card->stream_first;
    card_wire_put(card, reached);
}

// A capture has its own pace: frames come, and wait until they are read.
static int64_t update_capture(struct card *card, int64_t now) {
    int64_t have = frames_in(card, now - card->start_nanoseconds) - card->played;
    int64_t wake = card->is_playing ? time_of(card, card->played + (int64_t)card->avail_min) : now;
    if (card->is_playing && have > (int64_t)card->io.buffer_size) {
        card_stop_playing(card, now, "xrun");
        snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_XRUN);
        wake = now;
    }
    card_make_readable(card, wake, now);
    return wake;
}

int64_t card_update(struct card *card, int64_t now) {
    if (card->is_capture) return update_capture(card, now);
    int64_t wake = INT64_MAX;
    play_until(card, now);
    int64_t told = card_told_position(card, now);
    int64_t room = (int64_t)card->io.buffer_size - (card->unit->taken - card->stream_first - told);
    int64_t missing = (int64_t)card->avail_min - room;
    if (card->is_playing) {
        wake = missing <= 0 || card->wakes > 0 ? now : time_of(card, missing + told);
        if (missing > 0 && now < card->stalled_until && wake < card->stalled_until)
            wake = card->stalled_until;
        // Waits for frames: a card that is dry, and one that plays only when it is full.
        if (missing > 0 && card->is_dry) wake = now;
    } else if (card->io.state == SND_PCM_STATE_PREPARED) {
        if (missing <= 0) wake = now;
    } else {
        wake = now;
    }
    card_make_readable(card, wake, now);
    return wake;
}

// The clock waits for a program whose card has stopped by itself, and not for one that has not started it or is
// done.
int64_t card_update_by_hand(struct card_clock_user *user, int64_t now) {
    struct card *card = (struct card *)((char *)user - offsetof(struct card, user));
    int64_t wake = card_update(card, now);
    if (card->is_playing) return wake;
    switch (card->io.state) {
    case SND_PCM_STATE_XRUN:
    case SND_PCM_STATE_SUSPENDED:
    case SND_PCM_STATE_DISCONNECTED: return now;
    case SND_PCM_STATE_PREPARED: return card->unit->taken > 0 ? now : INT64_MAX;
    default: return INT64_MAX;
    }
}

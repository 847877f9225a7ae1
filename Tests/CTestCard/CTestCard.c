#include "CTestCard.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "TestCardClock.h"
#include "TestCardScript.h"
#include "TestCardSettings.h"

struct card {
    snd_pcm_ioplug_t io;
    struct card_clock_user user;
    struct card_script script;
    int is_hand_turned;
    FILE *frames;
    FILE *log;
    // Frames taken over all streams, those before this stream, and those of it that have sounded.
    int64_t taken, stream_first, played;
    int64_t start_nanoseconds;
    snd_pcm_uframes_t avail_min;
    size_t frame_bytes;
    int is_playing;
    snd_pcm_uframes_t boundary;
};

static int64_t now_of(struct card *card) {
    if (card->is_hand_turned) return card_clock_hand_now();
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// The time at which a frame of the running stream begins, rounded up so that at that time it has.
static int64_t time_of(struct card *card, int64_t frame_of_stream) {
    return card->start_nanoseconds + (frame_of_stream * 1000000000 + card->io.rate - 1) / card->io.rate;
}

static int64_t queued(struct card *card) { return card->taken - card->stream_first - card->played; }

// Readable when the program should look: the timer has run out, or the counter is not zero.
static void make_readable(struct card *card, int64_t at, int64_t now) {
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

static void stop_playing(struct card *card, int64_t time, const char *why) {
    if (!card->is_playing) return;
    card->is_playing = 0;
    if (card->log)
        fprintf(card->log, "stop %lld %lld %s\n", (long long)(card->stream_first + card->played),
                (long long)time, why);
}

static void happen(struct card *card, struct card_happening *happening, int64_t time) {
    happening->done = 1;
    switch (happening->event) {
    case CARD_XRUN:
        stop_playing(card, time, "xrun");
        snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_XRUN);
        break;
    case CARD_SUSPEND:
        stop_playing(card, time, "suspend");
        snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_SUSPENDED);
        break;
    case CARD_UNPLUG:
        stop_playing(card, time, "unplug");
        snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_DISCONNECTED);
        break;
    }
}

// Plays up to a time, and arranges for the program to be woken; the time at which it should.
static int64_t update(struct card *card, int64_t now) {
    int64_t wake = INT64_MAX;
    if (card->is_playing) {
        int64_t due = (int64_t)((__int128)(now - card->start_nanoseconds) * card->io.rate / 1000000000);
        int64_t have = card->taken - card->stream_first;
        card->played = due < have ? due : have;
        struct card_happening *happening = card_script_next(&card->script, card->stream_first + card->played);
        if (happening) {
            card->played = happening->frame - card->stream_first;
            happen(card, happening, time_of(card, card->played));
        } else if (due >= have) {
            // The instant at which it ran dry, whenever that is found out.
            stop_playing(card, time_of(card, have), "xrun");
            snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_XRUN);
        }
    }
    if (card->is_playing) {
        int64_t room = (int64_t)card->io.buffer_size - queued(card);
        int64_t room_at = (int64_t)card->avail_min - room + card->played;
        wake = room_at <= card->played ? now : time_of(card, room_at);
    } else if (card->io.state == SND_PCM_STATE_PREPARED) {
        int64_t room = (int64_t)card->io.buffer_size - queued(card);
        if (room >= (int64_t)card->avail_min) wake = now;
    } else {
        wake = now;
    }
    make_readable(card, wake, now);
    return wake;
}

// The clock waits for a program whose card has stopped by itself, and not for one that has not started it or is
// done.
static int64_t update_by_hand(struct card_clock_user *user, int64_t now) {
    struct card *card = (struct card *)((char *)user - offsetof(struct card, user));
    int64_t wake = update(card, now);
    if (card->is_playing) return wake;
    switch (card->io.state) {
    case SND_PCM_STATE_XRUN:
    case SND_PCM_STATE_SUSPENDED: return now;
    case SND_PCM_STATE_PREPARED: return card->taken > 0 ? now : INT64_MAX;
    default: return INT64_MAX;
    }
}

// The scripted answer to a call; 0 where there is none.
static long scripted(struct card *card, enum card_call call) {
    const struct card_rule *rule = card_script_call(&card->script, call);
    return rule && !rule->takes ? rule->value : 0;
}

static int card_start(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    card_clock_lock();
    long code = scripted(card, CARD_START);
    if (code == 0) {
        card->start_nanoseconds = now_of(card);
        card->is_playing = 1;
        if (card->log)
            fprintf(card->log, "play %lld %lld\n", (long long)card->stream_first,
                    (long long)card->start_nanoseconds);
        update(card, card->start_nanoseconds);
        card_clock_satisfied();
    }
    card_clock_unlock();
    return (int)code;
}

static int card_stop(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    card_clock_lock();
    int64_t now = now_of(card);
    if (card->is_playing) update(card, now);
    stop_playing(card, now, "stop");
    card_clock_satisfied();
    card_clock_unlock();
    return 0;
}

static snd_pcm_sframes_t card_pointer(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    card_clock_lock();
    long code = scripted(card, CARD_AVAIL);
    int64_t now = now_of(card);
    update(card, now);
    if (code == -EPIPE && card->is_playing) {
        // It ran dry just now, as far as anybody can tell.
        card->played = card->taken - card->stream_first;
        stop_playing(card, now, "xrun");
    }
    snd_pcm_sframes_t result = (snd_pcm_sframes_t)(card->played % (int64_t)card->boundary);
    if (code < 0) result = code;
    if (io->state == SND_PCM_STATE_XRUN) result = -EPIPE;
    card_clock_unlock();
    return result;
}

static snd_pcm_sframes_t card_transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas,
                                       snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
    struct card *card = io->private_data;
    card_clock_lock();
    const struct card_rule *rule = card_script_call(&card->script, CARD_WRITE);
    snd_pcm_sframes_t result = (snd_pcm_sframes_t)size;
    if (rule && rule->takes && rule->value < result) result = rule->value;
    if (rule && !rule->takes) result = rule->value;
    int64_t now = now_of(card);
    if (result == -EPIPE) {
        card->played = card->taken - card->stream_first;
        stop_playing(card, now, "xrun");
        snd_pcm_ioplug_set_state(io, SND_PCM_STATE_XRUN);
    }
    if (result > 0) {
        const char *first = (const char *)areas[0].addr + areas[0].first / 8 + offset * (areas[0].step / 8);
        if (card->frames && fwrite(first, card->frame_bytes, (size_t)result, card->frames) != (size_t)result)
            result = -EIO;
    }
    if (result > 0) {
        if (card->log)
            fprintf(card->log, "take %lld %ld %lld\n", (long long)card->taken, (long)result, (long long)now);
        card->taken += result;
        update(card, now);
        card_clock_satisfied();
    }
    card_clock_unlock();
    return result;
}

static int card_prepare(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    card_clock_lock();
    long code = io->state == SND_PCM_STATE_DISCONNECTED ? -ENODEV : scripted(card, CARD_PREPARE);
    if (code == 0) {
        card->is_playing = 0;
        card->stream_first = card->taken;
        card->played = 0;
        make_readable(card, now_of(card), now_of(card));
    }
    card_clock_unlock();
    return (int)code;
}

static int card_resume(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    card_clock_lock();
    const struct card_rule *rule = card_script_call(&card->script, CARD_RESUME);
    long code = rule ? rule->value : -ENOSYS;
    // As a driver does that says it can resume: the stream has to be prepared all the same.
    if (code == 0) snd_pcm_ioplug_set_state(io, SND_PCM_STATE_XRUN);
    card_clock_unlock();
    return (int)code;
}

static int card_delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *delay) {
    struct card *card = io->private_data;
    card_clock_lock();
    long code = scripted(card, CARD_DELAY);
    update(card, now_of(card));
    *delay = queued(card);
    card_clock_unlock();
    return (int)code;
}

static int card_hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *params) {
    (void)params;
    struct card *card = io->private_data;
    card->frame_bytes = (size_t)snd_pcm_format_physical_width(io->format) / 8 * io->channels;
    card->avail_min = io->period_size;
    if (card->log)
        fprintf(card->log, "open %u %u %s %lu %lu\n", io->rate, io->channels, snd_pcm_format_name(io->format),
                io->period_size, io->buffer_size);
    return 0;
}

static int card_sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *params) {
    struct card *card = io->private_data;
    int code = snd_pcm_sw_params_get_avail_min(params, &card->avail_min);
    return code < 0 ? code : snd_pcm_sw_params_get_boundary(params, &card->boundary);
}

static int card_poll_revents(snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned count,
                             unsigned short *revents) {
    (void)descriptors, (void)count;
    struct card *card = io->private_data;
    card_clock_lock();
    int64_t now = now_of(card);
    int64_t wake = update(card, now);
    *revents = 0;
    switch (io->state) {
    case SND_PCM_STATE_DISCONNECTED: *revents = POLLERR | POLLNVAL; break;
    case SND_PCM_STATE_XRUN:
    case SND_PCM_STATE_SUSPENDED: *revents = POLLERR | POLLOUT; break;
    default:
        if (wake <= now) *revents = POLLOUT;
    }
    card_clock_unlock();
    return 0;
}

static void card_free(struct card *card) {
    if (card->frames && fclose(card->frames) != 0) perror("test card");
    if (card->log && fclose(card->log) != 0) perror("test card");
    if (card->io.poll_fd >= 0) close(card->io.poll_fd);
    free(card);
}

static int card_close(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    card_clock_lock();
    stop_playing(card, now_of(card), "stop");
    if (card->log) fprintf(card->log, "close %lld\n", (long long)now_of(card));
    card_clock_remove(&card->user);
    card_clock_unlock();
    card_free(card);
    return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = card_start,
    .stop = card_stop,
    .pointer = card_pointer,
    .transfer = card_transfer,
    .close = card_close,
    .hw_params = card_hw_params,
    .sw_params = card_sw_params,
    .prepare = card_prepare,
    .resume = card_resume,
    .poll_revents = card_poll_revents,
    .delay = card_delay,
};

static int open_files(struct card *card, const struct card_settings *settings) {
    if (settings->frames && !(card->frames = fopen(settings->frames, "we"))) return -errno;
    if (settings->log && !(card->log = fopen(settings->log, "ae"))) return -errno;
    if (card->log) setvbuf(card->log, NULL, _IOLBF, 0);
    if (!settings->script) return 0;
    int code = card_script_read(&card->script, settings->script);
    if (code > 0) SNDERR("%s:%d: not a statement of a card's script", settings->script, code);
    return code > 0 ? -EINVAL : code;
}

SND_PCM_PLUGIN_DEFINE_FUNC(thrum_test_card) {
    (void)root;
    struct card_settings settings = {.rates = "8000,16000,32000,44100,48000,96000",
                                .formats = "S16_LE,S24_LE,S24_3LE,S32_LE,FLOAT_LE",
                                .channels = "1..8",
                                .access = "mmap,rw",
                                .period_bytes = "16..1048576",
                                .buffer_bytes = "32..4194304",
                                .clock = "monotonic"};
    int code = card_settings_read(&settings, conf);
    if (code < 0) return code;
    struct card *card = calloc(1, sizeof *card);
    if (!card) return -ENOMEM;
    card->is_hand_turned = strcmp(settings.clock, "hand") == 0;
    card->boundary = 1;
    card->user.update = update_by_hand;
    card->io.version = SND_PCM_IOPLUG_VERSION;
    card->io.name = "Thrum test card";
    card->io.flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA | SND_PCM_IOPLUG_FLAG_MONOTONIC;
    card->io.callback = &callbacks;
    card->io.private_data = card;
    card->io.poll_events = POLLIN;
    card->io.poll_fd = card->is_hand_turned ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)
                                            : timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    code = card->io.poll_fd < 0 ? -errno : open_files(card, &settings);
    if (code >= 0) code = snd_pcm_ioplug_create(&card->io, name, stream, mode);
    if (code < 0) {
        card_free(card);
        return code;
    }
    code = card_settings_apply(&card->io, &settings);
    if (code < 0) {
        // Closes the card by its callback.
        snd_pcm_ioplug_delete(&card->io);
        return code;
    }
    card_clock_lock();
    card_clock_add(&card->user);
    card_clock_unlock();
    *pcmp = card->io.pcm;
    return 0;
}

SND_PCM_PLUGIN_SYMBOL(thrum_test_card);

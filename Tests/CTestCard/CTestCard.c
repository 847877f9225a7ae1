#include "CTestCard.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "TestCard.h"
#include "TestCardSettings.h"
#include "TestCardWire.h"

// The scripted answer to a call; 0 where there is none.
static long scripted(struct card *card, enum card_call call) {
    const struct card_rule *rule = card_script_call(&card->unit->script, call);
    return rule && !rule->takes && !rule->holds ? rule->value : 0;
}

static int is_dead(struct card *card) { return card->unit->dead_until > card_now(card); }

static int card_start(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    card_clock_lock();
    long code = scripted(card, CARD_START);
    if (code == 0) {
        int64_t now = card_now(card);
        int is_full = card_queued(card) >= (int64_t)io->buffer_size;
        if (card->is_capture || !card->starts_full || is_full)
            card_begin_playing(card, now + card->start_delay_nanoseconds);
        card_update(card, now);
        // What happened at its first frame: libasound would call it running all the same.
        if (io->state == SND_PCM_STATE_DISCONNECTED) code = -ENODEV;
        if (io->state == SND_PCM_STATE_SUSPENDED) code = -ESTRPIPE;
        if (io->state == SND_PCM_STATE_XRUN) code = -EPIPE;
        card_clock_satisfied();
    }
    card_clock_unlock();
    return (int)code;
}

static int card_stop(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    card_clock_lock();
    int64_t now = card_now(card);
    if (card->is_playing) card_update(card, now);
    card_stop_playing(card, now, "stop");
    card_clock_satisfied();
    card_clock_unlock();
    return 0;
}

static int card_pause(snd_pcm_ioplug_t *io, int enable) {
    struct card *card = io->private_data;
    card_clock_lock();
    int64_t now = card_now(card);
    card_update(card, now);
    if (enable) {
        card_stop_playing(card, now, "pause");
    } else {
        card_begin_playing(card, now);
    }
    card_update(card, now);
    card_clock_satisfied();
    card_clock_unlock();
    return 0;
}

// The frames that a capture has had since its start.
static int64_t captured(struct card *card, int64_t now) {
    int64_t frames = card_place(card, now) - card_wire_start(card);
    return frames < 0 ? 0 : frames;
}

static snd_pcm_sframes_t card_pointer(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    card_clock_lock();
    long code = scripted(card, CARD_AVAIL);
    int64_t now = card_now(card);
    card_update(card, now);
    if (code == -EPIPE && card->is_playing) {
        // It ran dry just now, as far as anybody can tell.
        card->played = card->unit->taken - card->stream_first;
        card_stop_playing(card, now, "xrun");
    } else if (code < 0) {
        // libasound takes any error here for an xrun.
        card_stop_playing(card, now, "xrun");
    }
    int64_t position = card_told_position(card, now);
    // The hardware's pointer of a capture is ahead of what was read.
    if (card->is_capture && card->is_playing) position = captured(card, now);
    snd_pcm_sframes_t result = (snd_pcm_sframes_t)(position % (int64_t)card->boundary);
    if (code < 0) result = code;
    if (io->state == SND_PCM_STATE_XRUN) result = -EPIPE;
    if (io->state == SND_PCM_STATE_DISCONNECTED) result = -ENODEV;
    card_clock_unlock();
    return result;
}

static void keep(struct card *card, const char *bytes, int64_t count) {
    if (!card->queue) return;
    int64_t size = (int64_t)card->io.buffer_size;
    for (int64_t frame = 0; frame < count; frame++)
        memcpy(card->queue + (size_t)((card->unit->taken + frame) % size) * card->frame_bytes,
               bytes + (size_t)frame * card->frame_bytes, card->frame_bytes);
}

static void take(struct card *card, const char *bytes, int64_t count, int64_t now) {
    if (card->log)
        fprintf(card->log, "take %lld %lld %lld\n", (long long)card->unit->taken, (long long)count,
                (long long)now);
    keep(card, bytes, count);
    card->unit->taken += count;
    // It was dry and did not tell: what comes now sounds at once.
    if (card->is_playing && card->is_dry) card_begin_playing(card, now);
    int is_full = card_queued(card) >= (int64_t)card->io.buffer_size;
    if (card->starts_full && is_full && !card->is_playing && card->io.state == SND_PCM_STATE_RUNNING)
        card_begin_playing(card, now + card->start_delay_nanoseconds);
    card_update(card, now);
    card_clock_satisfied();
}

static snd_pcm_sframes_t card_transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas,
                                       snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
    struct card *card = io->private_data;
    char *first = (char *)areas[0].addr + areas[0].first / 8 + offset * (areas[0].step / 8);
    card_clock_lock();
    int64_t now = card_now(card);
    snd_pcm_sframes_t result = (snd_pcm_sframes_t)size;
    if (card->is_capture) {
        card_wire_hear(card, card->played, first, size, now);
        card->played += (int64_t)size;
        card_update(card, now);
        card_clock_unlock();
        return result;
    }
    const struct card_rule *rule = card_script_call(&card->unit->script, CARD_WRITE);
    if (rule && rule->holds) {
        struct timespec time = {rule->value / 1000, rule->value % 1000 * 1000000};
        rule = NULL;
        card_clock_unlock();
        while (nanosleep(&time, &time) != 0) {}
        card_clock_lock();
        now = card_now(card);
        card_update(card, now);
        if (io->state != SND_PCM_STATE_RUNNING && io->state != SND_PCM_STATE_PREPARED) result = -EPIPE;
    }
    if (rule && rule->takes && rule->value < result) result = rule->value;
    if (rule && !rule->takes) result = rule->value;
    if (is_dead(card)) result = -EPIPE;
    if (result == -EPIPE) {
        card->played = card->unit->taken - card->stream_first;
        card_stop_playing(card, now, "xrun");
        snd_pcm_ioplug_set_state(io, SND_PCM_STATE_XRUN);
    }
    if (result > 0 && card->frames
        && fwrite(first, card->frame_bytes, (size_t)result, card->frames) != (size_t)result)
        result = -EIO;
    if (result > 0) take(card, first, result, now);
    card_clock_unlock();
    return result;
}

static int card_prepare(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    card_clock_lock();
    long code = io->state == SND_PCM_STATE_DISCONNECTED ? -ENODEV : scripted(card, CARD_PREPARE);
    if (card->unit->suspended_until > card_now(card)) code = -EAGAIN;
    if (code == 0) {
        card_stop_playing(card, card_now(card), "stop");
        card->is_playing = card->is_dry = 0;
        card->stream_first = card->unit->taken;
        card->played = card->wired = 0;
        card->stalled_until = 0;
        card_make_readable(card, card_now(card), card_now(card));
    }
    card_clock_unlock();
    return (int)code;
}

static int card_resume(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    card_clock_lock();
    const struct card_rule *rule = card_script_call(&card->unit->script, CARD_RESUME);
    int64_t now = card_now(card);
    long code = card->resume == CARD_RESUME_NONE ? -ENOSYS : 0;
    if (card->unit->suspended_until > now) code = -EAGAIN;
    if (rule) code = rule->value;
    if (code == 0 && card->resume == CARD_RESUME_FULL) {
        snd_pcm_ioplug_set_state(io, SND_PCM_STATE_RUNNING);
        card_begin_playing(card, now);
        card_update(card, now);
    } else if (code == 0) {
        // As a driver does that says it can resume: the stream has to be prepared all the same.
        snd_pcm_ioplug_set_state(io, SND_PCM_STATE_XRUN);
    }
    card_clock_unlock();
    return (int)code;
}

static int card_delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *delay) {
    struct card *card = io->private_data;
    card_clock_lock();
    long code = scripted(card, CARD_DELAY);
    int64_t now = card_now(card);
    card_update(card, now);
    *delay = card->unit->taken - card->stream_first - card_told_position(card, now) + card->lie;
    // Of a capture: the frames that have come and were not read.
    if (card->is_capture) *delay = card->is_playing ? captured(card, now) - card->played : 0;
    if (io->state == SND_PCM_STATE_DISCONNECTED) code = -ENODEV;
    card_clock_unlock();
    return (int)code;
}

static int card_hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *params) {
    (void)params;
    struct card *card = io->private_data;
    card->frame_bytes = (size_t)snd_pcm_format_physical_width(io->format) / 8 * io->channels;
    card->avail_min = io->period_size;
    if (card->loop) {
        free(card->queue);
        card->queue = calloc(io->buffer_size, card->frame_bytes);
        if (!card->queue) return -ENOMEM;
    }
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
    int64_t now = card_now(card);
    int64_t wake = card_update(card, now);
    *revents = 0;
    switch (io->state) {
    case SND_PCM_STATE_DISCONNECTED: *revents = POLLERR | POLLNVAL; break;
    case SND_PCM_STATE_XRUN:
    case SND_PCM_STATE_SUSPENDED: *revents = POLLERR | POLLOUT; break;
    default:
        if (wake <= now) *revents = card->is_capture ? POLLIN : POLLOUT;
        if (card->wakes > 0) card->wakes--;
    }
    card_clock_unlock();
    return 0;
}

static void card_free(struct card *card) {
    if (card->frames && fclose(card->frames) != 0) perror("test card");
    if (card->log && fclose(card->log) != 0) perror("test card");
    if (card->motion && fclose(card->motion) != 0) perror("test card");
    if (card->io.poll_fd >= 0) close(card->io.poll_fd);
    card_clock_lock();
    card_unit_release(card->unit);
    card_clock_unlock();
    card_actuator_free(card->actuator);
    free(card->queue);
    free(card->name);
    free(card);
}

static int card_close(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    card_clock_lock();
    // As a kernel's card that is gone: an error, and closed all the same.
    int code = io->state == SND_PCM_STATE_DISCONNECTED ? -ENODEV : 0;
    card_stop_playing(card, card_now(card), "stop");
    if (card->log) fprintf(card->log, "close %lld\n", (long long)card_now(card));
    card_clock_remove(&card->user);
    card_wire_remove(card);
    card_clock_unlock();
    card_free(card);
    return code;
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
static snd_pcm_ioplug_callback_t pausing_callbacks;

// What the configuration gives it, and whether it is there at this moment.
static int set_up(struct card *card, const struct card_settings *settings) {
    card->is_hand_turned = strcmp(settings->clock, "hand") == 0;
    card->drift_per_million = strtol(settings->drift, NULL, 10);
    card->starts_full = strcmp(settings->start, "full") == 0;
    if (strncmp(settings->start, "late ", 5) == 0)
        card->start_delay_nanoseconds = strtol(settings->start + 5, NULL, 10) * 1000000;
    card->hides_xruns = strcmp(settings->dry, "hidden") == 0;
    card->resume = strcmp(settings->resume, "full") == 0      ? CARD_RESUME_FULL
                   : strcmp(settings->resume, "prepare") == 0 ? CARD_RESUME_PREPARE
                                                              : CARD_RESUME_NONE;
    card_wire_set_up(card, settings->loop_delay, settings->loop_gain, settings->loop_noise);
    if (settings->loop && !(card->loop = card_loop_named(settings->loop))) return -ENOMEM;
    if (settings->loop_actuator) {
        int code = card_actuator_read(&card->actuator, settings->loop_actuator, settings->loop_sensor);
        if (code == -EINVAL) SNDERR("loop_actuator takes \"F0 Q\", loop_sensor a quantity");
        if (code < 0) return code;
    }
    const char *name = settings->log ? settings->log : settings->frames ? settings->frames : settings->script;
    // What only listens has no script, so that it takes none of the other's calls.
    card->unit = card_unit_named(card->is_capture ? NULL : name);
    if (!card->unit) return -ENOMEM;
    if (card->is_capture) return 0;
    int is_first = card->unit->opens++ == 0;
    if (is_first && settings->script) {
        int code = card_script_read(&card->unit->script, settings->script);
        if (code > 0) SNDERR("%s:%d: not a statement of a card's script", settings->script, code);
        if (code != 0) return code > 0 ? -EINVAL : code;
    }
    if (settings->frames && !(card->frames = fopen(settings->frames, is_first ? "we" : "ae"))) return -errno;
    if (settings->log && !(card->log = fopen(settings->log, "ae"))) return -errno;
    if (settings->motion && !(card->motion = fopen(settings->motion, is_first ? "we" : "ae"))) return -errno;
    if (card->log) setvbuf(card->log, NULL, _IOLBF, 0);
    long code = scripted(card, CARD_OPEN);
    if (code == 0 && is_dead(card)) code = -ECONNREFUSED;
    if (code == 0 && card->unit->suspended_until > card_now(card)) code = -EBUSY;
    if (code == 0 && card->unit->absent_until > card_now(card)) code = -ENODEV;
    if (code < 0 && card->log) fprintf(card->log, "refuse %ld %lld\n", -code, (long long)card_now(card));
    return (int)code;
}

SND_PCM_PLUGIN_DEFINE_FUNC(thrum_test_card) {
    (void)root;
    struct card_settings settings = {.rates = "8000,16000,32000,44100,48000,96000",
                                     .formats = "S16_LE,S24_LE,S24_3LE,S32_LE,FLOAT_LE",
                                     .channels = "1..8",
                                     .access = "mmap,rw",
                                     .period_bytes = "16..1048576",
                                     .buffer_bytes = "32..4194304",
                                     .clock = "monotonic",
                                     .drift = "0",
                                     .start = "asked",
                                     .resume = "none",
                                     .pause = "no",
                                     .dry = "told",
                                     .name = "Thrum test card",
                                     .loop_delay = "0"};
    int code = card_settings_read(&settings, conf);
    if (code < 0) return code;
    struct card *card = calloc(1, sizeof *card);
    if (!card) return -ENOMEM;
    card->boundary = 1;
    card->user.update = card_update_by_hand;
    card->is_capture = stream == SND_PCM_STREAM_CAPTURE;
    card->io.poll_fd = -1;
    card->io.version = SND_PCM_IOPLUG_VERSION;
    // The configuration does not outlive the opening.
    card->name = strdup(settings.name);
    if (!card->name) {
        card_free(card);
        return -ENOMEM;
    }
    card->io.name = card->name;
    card->io.flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA | SND_PCM_IOPLUG_FLAG_MONOTONIC;
    card->io.callback = &callbacks;
    if (strcmp(settings.pause, "yes") == 0) {
        pausing_callbacks = callbacks;
        pausing_callbacks.pause = card_pause;
        card->io.callback = &pausing_callbacks;
    }
    card->io.private_data = card;
    card->io.poll_events = POLLIN;
    card_clock_lock();
    code = set_up(card, &settings);
    if (code >= 0 && !card->is_capture && card->unit->opens > 1) card_settings_turn(&settings);
    card_clock_unlock();
    if (code >= 0) {
        card->io.poll_fd = card->is_hand_turned ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)
                                                : timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
        if (card->io.poll_fd < 0) code = -errno;
    }
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
    // A card in real time does not hold up the clock of others.
    if (card->is_hand_turned) card_clock_add(&card->user);
    if (card->loop && !card->is_capture) card_wire_add(card);
    card_clock_unlock();
    *pcmp = card->io.pcm;
    return 0;
}

SND_PCM_PLUGIN_SYMBOL(thrum_test_card);

#include "TestCardSettings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Sets a limit from "a..b", or from "a,b,c" as numbers or as names that `value_of` knows.
static int limit(snd_pcm_ioplug_t *io, int type, const char *text, unsigned (*value_of)(const char *)) {
    unsigned low, high, list[32], count = 0;
    if (sscanf(text, "%u..%u", &low, &high) == 2)
        return snd_pcm_ioplug_set_param_minmax(io, type, low, high);
    char copy[256], *rest = copy;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strsep(&rest, ","); word && count < 32; word = strsep(&rest, ","))
        list[count++] = value_of(word);
    return snd_pcm_ioplug_set_param_list(io, type, count, list);
}

static unsigned number_value(const char *word) { return (unsigned)strtoul(word, NULL, 10); }
static unsigned format_value(const char *word) { return (unsigned)snd_pcm_format_value(word); }
static unsigned access_value(const char *word) {
    return strcmp(word, "mmap") == 0 ? SND_PCM_ACCESS_MMAP_INTERLEAVED : SND_PCM_ACCESS_RW_INTERLEAVED;
}

int card_settings_apply(snd_pcm_ioplug_t *io, const struct card_settings *settings) {
    int code = limit(io, SND_PCM_IOPLUG_HW_ACCESS, settings->access, access_value);
    if (code >= 0) code = limit(io, SND_PCM_IOPLUG_HW_FORMAT, settings->formats, format_value);
    if (code >= 0) code = limit(io, SND_PCM_IOPLUG_HW_CHANNELS, settings->channels, number_value);
    if (code >= 0) code = limit(io, SND_PCM_IOPLUG_HW_RATE, settings->rates, number_value);
    if (code >= 0) code = limit(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, settings->period_bytes, number_value);
    if (code >= 0) code = limit(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, settings->buffer_bytes, number_value);
    if (code >= 0) code = limit(io, SND_PCM_IOPLUG_HW_PERIODS, "2..1024", number_value);
    return code;
}

void card_settings_turn(struct card_settings *settings) {
    if (settings->rates_again) settings->rates = settings->rates_again;
    if (settings->formats_again) settings->formats = settings->formats_again;
    if (settings->channels_again) settings->channels = settings->channels_again;
    if (settings->period_bytes_again) settings->period_bytes = settings->period_bytes_again;
}

int card_settings_read(struct card_settings *settings, snd_config_t *conf) {
    const struct {
        const char *key;
        const char **value;
    } keys[] = {{"rates", &settings->rates},
                {"formats", &settings->formats},
                {"channels", &settings->channels},
                {"access", &settings->access},
                {"period_bytes", &settings->period_bytes},
                {"buffer_bytes", &settings->buffer_bytes},
                {"clock", &settings->clock},
                {"drift", &settings->drift},
                {"start", &settings->start},
                {"resume", &settings->resume},
                {"pause", &settings->pause},
                {"dry", &settings->dry},
                {"name", &settings->name},
                {"loop", &settings->loop},
                {"loop_delay", &settings->loop_delay},
                {"loop_gain", &settings->loop_gain},
                {"loop_noise", &settings->loop_noise},
                {"loop_actuator", &settings->loop_actuator},
                {"loop_sensor", &settings->loop_sensor},
                {"motion", &settings->motion},
                {"rates_again", &settings->rates_again},
                {"formats_again", &settings->formats_again},
                {"channels_again", &settings->channels_again},
                {"period_bytes_again", &settings->period_bytes_again},
                {"script", &settings->script},
                {"frames", &settings->frames},
                {"log", &settings->log}};
    snd_config_iterator_t at, next;
    snd_config_for_each(at, next, conf) {
        snd_config_t *entry = snd_config_iterator_entry(at);
        const char *id;
        if (snd_config_get_id(entry, &id) < 0) continue;
        for (size_t index = 0; index < sizeof keys / sizeof *keys; index++) {
            if (strcmp(id, keys[index].key) != 0) continue;
            if (snd_config_get_string(entry, keys[index].value) < 0) {
                SNDERR("%s must be text in quotes", id);
                return -EINVAL;
            }
        }
    }
    return 0;
}

#pragma once
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>

// What the ALSA configuration says of a card, as text.
struct card_settings {
    const char *rates, *formats, *channels, *access, *period_bytes, *buffer_bytes, *clock;
    const char *drift, *start, *resume, *pause, *dry, *name;
    const char *script, *frames, *log, *loop, *loop_delay, *loop_gain, *loop_noise;
    const char *loop_actuator, *loop_sensor, *motion;
    // What it takes from its second opening on, where that is something else.
    const char *rates_again, *formats_again, *channels_again, *period_bytes_again;
};

// Takes over the keys that a configuration has; returns a negative error number for one that is not text.
int card_settings_read(struct card_settings *settings, snd_config_t *conf);

// Takes over what holds from the second opening on.
void card_settings_turn(struct card_settings *settings);

// Limits what a program may ask of a card.
int card_settings_apply(snd_pcm_ioplug_t *io, const struct card_settings *settings);

// A mixer for the test card: one control with a volume and a switch, as they are given in its configuration.
#include <alsa/asoundlib.h>
#include <alsa/control_external.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIXER_VOLUME, MIXER_SWITCH, MIXER_ELEMENTS };

struct mixer {
    snd_ctl_ext_t ext;
    char names[MIXER_ELEMENTS][44];
    long volume, is_on;
};

static void mixer_close(snd_ctl_ext_t *ext) { free(ext->private_data); }

static int mixer_count(snd_ctl_ext_t *ext) {
    (void)ext;
    return MIXER_ELEMENTS;
}

static int mixer_list(snd_ctl_ext_t *ext, unsigned int offset, snd_ctl_elem_id_t *id) {
    struct mixer *mixer = ext->private_data;
    if (offset >= MIXER_ELEMENTS) return -EINVAL;
    snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_MIXER);
    snd_ctl_elem_id_set_name(id, mixer->names[offset]);
    return 0;
}

static snd_ctl_ext_key_t mixer_find(snd_ctl_ext_t *ext, const snd_ctl_elem_id_t *id) {
    struct mixer *mixer = ext->private_data;
    for (int element = 0; element < MIXER_ELEMENTS; element++)
        if (strcmp(snd_ctl_elem_id_get_name(id), mixer->names[element]) == 0) return (snd_ctl_ext_key_t)element;
    return SND_CTL_EXT_KEY_NOT_FOUND;
}

static int mixer_attribute(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, int *type, unsigned int *access,
                           unsigned int *count) {
    (void)ext;
    *type = key == MIXER_SWITCH ? SND_CTL_ELEM_TYPE_BOOLEAN : SND_CTL_ELEM_TYPE_INTEGER;
    *access = SND_CTL_EXT_ACCESS_READWRITE;
    *count = 2;
    return 0;
}

static int mixer_range(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *low, long *high, long *step) {
    (void)ext;
    *low = 0;
    *high = key == MIXER_SWITCH ? 1 : 100;
    *step = 1;
    return 0;
}

// The left channel is open all the way: what counts is the lower one.
static int mixer_read(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
    struct mixer *mixer = ext->private_data;
    value[0] = key == MIXER_SWITCH ? mixer->is_on : 100;
    value[1] = key == MIXER_SWITCH ? mixer->is_on : mixer->volume;
    return 0;
}

static int mixer_write(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
    struct mixer *mixer = ext->private_data;
    *(key == MIXER_SWITCH ? &mixer->is_on : &mixer->volume) = value[1];
    return 1;
}

static int mixer_event(snd_ctl_ext_t *ext, snd_ctl_elem_id_t *id, unsigned int *mask) {
    (void)ext, (void)id, (void)mask;
    return -EAGAIN;
}

static const snd_ctl_ext_callback_t mixer_callbacks = {
    .close = mixer_close,          .elem_count = mixer_count,          .elem_list = mixer_list,
    .find_elem = mixer_find,       .get_attribute = mixer_attribute,   .get_integer_info = mixer_range,
    .read_integer = mixer_read,    .write_integer = mixer_write,       .read_event = mixer_event,
};

SND_CTL_PLUGIN_DEFINE_FUNC(thrum_test_card) {
    (void)root;
    struct mixer *mixer = calloc(1, sizeof *mixer);
    if (!mixer) return -ENOMEM;
    const char *control = "Master";
    mixer->volume = 100;
    mixer->is_on = 1;
    snd_config_iterator_t entry, next;
    snd_config_for_each(entry, next, conf) {
        snd_config_t *node = snd_config_iterator_entry(entry);
        const char *key, *text;
        if (snd_config_get_id(node, &key) < 0 || snd_config_get_string(node, &text) < 0) continue;
        if (strcmp(key, "control") == 0) control = text;
        if (strcmp(key, "volume") == 0) mixer->volume = strtol(text, NULL, 10);
        if (strcmp(key, "switch") == 0) mixer->is_on = strcmp(text, "on") == 0;
    }
    snprintf(mixer->names[MIXER_VOLUME], sizeof mixer->names[0], "%.20s Playback Volume", control);
    snprintf(mixer->names[MIXER_SWITCH], sizeof mixer->names[0], "%.20s Playback Switch", control);
    mixer->ext.version = SND_CTL_EXT_VERSION;
    mixer->ext.poll_fd = -1;
    mixer->ext.callback = &mixer_callbacks;
    mixer->ext.private_data = mixer;
    strcpy(mixer->ext.id, "thrum");
    strcpy(mixer->ext.driver, "thrum");
    strcpy(mixer->ext.name, "Thrum test card");
    strcpy(mixer->ext.longname, "Thrum test card");
    strcpy(mixer->ext.mixername, "Thrum test card");
    int code = snd_ctl_ext_create(&mixer->ext, name, mode);
    if (code < 0) {
        free(mixer);
        return code;
    }
    *handlep = mixer->ext.handle;
    return 0;
}

SND_CTL_PLUGIN_SYMBOL(thrum_test_card);

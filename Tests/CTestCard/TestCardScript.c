#include "TestCardScript.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find(const char *word, const char *const *words, int count) {
    for (int index = 0; index < count; index++)
        if (strcmp(word, words[index]) == 0) return index;
    return -1;
}

static int error_value(const char *name, long *value) {
    static const char *const names[] = {"EPIPE",  "ESTRPIPE", "EAGAIN", "EINTR",
                                        "ENODEV", "EIO",      "ENOSYS", "EBUSY"};
    static const int codes[] = {EPIPE, ESTRPIPE, EAGAIN, EINTR, ENODEV, EIO, ENOSYS, EBUSY};
    int index = find(name, names, 8);
    if (index >= 0) {
        *value = -codes[index];
        return 1;
    }
    char *end;
    *value = strtol(name, &end, 10);
    return end != name && *end == 0;
}

static int read_line(struct card_script *script, const char *line) {
    static const char *const calls[] = {"write", "avail", "start", "prepare", "resume", "delay"};
    static const char *const events[] = {"xrun", "suspend", "unplug"};
    char first[16], second[16], verb[16], value[16];
    long number;
    int words = sscanf(line, "%15s %15s %ld %15s %15s", first, second, &number, verb, value);
    if (words <= 0) return 1;
    int event = find(first, events, 3);
    if (event >= 0) {
        if (words < 3 || strcmp(second, "at") != 0 || script->happening_count == 64) return 0;
        struct card_happening happening = {(enum card_event)event, number, 0};
        script->happenings[script->happening_count++] = happening;
        return 1;
    }
    int call = words == 5 && strcmp(first, "on") == 0 ? find(second, calls, CARD_CALLS) : -1;
    if (call < 0 || script->rule_count == 64) return 0;
    struct card_rule rule = {(enum card_call)call, number, 0, strcmp(verb, "take") == 0};
    if (!rule.takes && strcmp(verb, "return") != 0) return 0;
    if (!error_value(value, &rule.value)) return 0;
    script->rules[script->rule_count++] = rule;
    return 1;
}

int card_script_read(struct card_script *script, const char *path) {
    FILE *file = fopen(path, "re");
    if (!file) return -errno;
    char line[256];
    int result = 0;
    for (int number = 1; result == 0 && fgets(line, sizeof line, file); number++) {
        line[strcspn(line, "#\n")] = 0;
        if (!read_line(script, line)) result = number;
    }
    fclose(file);
    return result;
}

const struct card_rule *card_script_call(struct card_script *script, enum card_call call) {
    long number = ++script->counts[call];
    for (int index = 0; index < script->rule_count; index++) {
        const struct card_rule *rule = &script->rules[index];
        if (rule->call == call && rule->number == number) return rule;
    }
    return NULL;
}

struct card_happening *card_script_next(struct card_script *script, int64_t frame) {
    struct card_happening *next = NULL;
    for (int index = 0; index < script->happening_count; index++) {
        struct card_happening *one = &script->happenings[index];
        if (!one->done && one->frame <= frame && (!next || one->frame < next->frame)) next = one;
    }
    return next;
}

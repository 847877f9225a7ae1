#include "TestCardScript.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What lasts for ever: longer than any test, and far from overflowing.
static const int64_t for_ever = INT64_MAX / 4;

static int find(const char *word, const char *const *words, int count) {
    for (int index = 0; index < count; index++)
        if (strcmp(word, words[index]) == 0) return index;
    return -1;
}

static int error_value(const char *name, long *value) {
    static const struct {
        const char *name;
        int code;
    } errors[] = {{"EPIPE", EPIPE},   {"ESTRPIPE", ESTRPIPE}, {"EAGAIN", EAGAIN}, {"EINTR", EINTR},
                  {"ENODEV", ENODEV}, {"EIO", EIO},           {"ENOSYS", ENOSYS}, {"EBUSY", EBUSY},
                  {"EACCES", EACCES}, {"ENOENT", ENOENT},     {"ENXIO", ENXIO},   {"ECONNREFUSED", ECONNREFUSED},
                  {"EINVAL", EINVAL}, {"EBADFD", EBADFD},     {"ENOMEM", ENOMEM}, {"EHOSTDOWN", EHOSTDOWN}};
    for (size_t index = 0; index < sizeof errors / sizeof *errors; index++) {
        if (strcmp(name, errors[index].name) != 0) continue;
        *value = -errors[index].code;
        return 1;
    }
    char *end;
    *value = strtol(name, &end, 10);
    return end != name && *end == 0;
}

// "N", "N..M" or "N..".
static int range(const char *text, struct card_rule *rule) {
    char *end;
    rule->first = rule->last = strtol(text, &end, 10);
    if (end == text || rule->first < 1) return 0;
    if (*end == 0) return 1;
    if (strncmp(end, "..", 2) != 0) return 0;
    text = end + 2;
    if (*text == 0) {
        rule->last = INT32_MAX;
        return 1;
    }
    rule->last = strtol(text, &end, 10);
    return end != text && *end == 0;
}

// Room for one more, doubled as it runs out.
static void *grown(void *list, int count, size_t size) {
    if (count & (count - 1)) return list;
    return realloc(list, (size_t)(count ? 2 * count : 1) * size);
}

static int read_happening(struct card_script *script, int event, char words[][16], int count) {
    char *end;
    struct card_happening happening = {(enum card_event)event, 0, for_ever, 0};
    if (count < 3 || strcmp(words[1], "at") != 0) return 0;
    happening.frame = strtoll(words[2], &end, 10);
    if (*end) return 0;
    if (count > 3) {
        if (count < 5) return 0;
        happening.amount = strtoll(words[4], &end, 10);
        if (*end) return 0;
        int is_time = strcmp(words[3], "for") == 0 && count == 6 && strcmp(words[5], "ms") == 0;
        if (is_time) happening.amount *= 1000000;
        if (event == CARD_WAKE && strcmp(words[3], "times") != 0) return 0;
        if (event == CARD_LIE && strcmp(words[3], "by") != 0) return 0;
        if (event < CARD_WAKE && !is_time) return 0;
    } else if (event >= CARD_WAKE) {
        return 0;
    }
    void *list = grown(script->happenings, script->happening_count, sizeof happening);
    if (!list) return 0;
    script->happenings = list;
    script->happenings[script->happening_count++] = happening;
    return 1;
}

static int read_rule(struct card_script *script, char words[][16], int count) {
    static const char *const calls[] = {"open", "write", "avail", "start", "prepare", "resume", "delay"};
    int call = count == 5 && strcmp(words[0], "on") == 0 ? find(words[1], calls, CARD_CALLS) : -1;
    if (call < 0) return 0;
    struct card_rule rule = {.call = (enum card_call)call,
                             .takes = strcmp(words[3], "take") == 0,
                             .holds = strcmp(words[3], "hold") == 0};
    if (!rule.takes && !rule.holds && strcmp(words[3], "return") != 0) return 0;
    if (rule.holds && rule.call != CARD_WRITE) return 0;
    if (!range(words[2], &rule) || !error_value(words[4], &rule.value)) return 0;
    void *list = grown(script->rules, script->rule_count, sizeof rule);
    if (!list) return 0;
    script->rules = list;
    script->rules[script->rule_count++] = rule;
    return 1;
}

static int read_line(struct card_script *script, const char *line) {
    static const char *const events[] = {"xrun", "suspend", "unplug", "die", "stall", "freeze", "wake", "lie"};
    char words[7][16];
    int count = sscanf(line, "%15s %15s %15s %15s %15s %15s %15s", words[0], words[1], words[2], words[3],
                       words[4], words[5], words[6]);
    if (count <= 0) return 1;
    int event = find(words[0], events, CARD_EVENTS);
    return event >= 0 ? read_happening(script, event, words, count) : read_rule(script, words, count);
}

static int by_frame(const void *left, const void *right) {
    int64_t a = ((const struct card_happening *)left)->frame, b = ((const struct card_happening *)right)->frame;
    return (a > b) - (a < b);
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
    if (script->happening_count > 1)
        qsort(script->happenings, (size_t)script->happening_count, sizeof *script->happenings, by_frame);
    return result;
}

void card_script_free(struct card_script *script) {
    free(script->rules);
    free(script->happenings);
    *script = (struct card_script){0};
}

const struct card_rule *card_script_call(struct card_script *script, enum card_call call) {
    long number = ++script->counts[call];
    for (int index = 0; index < script->rule_count; index++) {
        const struct card_rule *rule = &script->rules[index];
        if (rule->call == call && rule->first <= number && number <= rule->last) return rule;
    }
    return NULL;
}

struct card_happening *card_script_next(struct card_script *script, int64_t frame) {
    while (script->first_left < script->happening_count && script->happenings[script->first_left].done)
        script->first_left++;
    if (script->first_left == script->happening_count) return NULL;
    struct card_happening *next = &script->happenings[script->first_left];
    return next->frame <= frame ? next : NULL;
}

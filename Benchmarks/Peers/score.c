// Writes the score for each engine, in the engine's own language.
//
//   score tones|taps COUNT RATE SECONDS REPEATS FOLDER    makes score.ahap, score.csd, score.osc, score.pd, score.sox
#include "score.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Seconds at which a note begins.
static double score_start(const struct score *score, long event) {
    return score->is_taps ? (double)event * SCORE_TAP_DISTANCE : (double)(event / score->count) * score->seconds;
}

static FILE *create(const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (file) return file;
    perror(path);
    exit(1);
}

static void write_ahap(const struct score *score, FILE *file) {
    // Adjusters of Thrum's envelope that make the same lengths: 4 ms·250^p up, 8 ms·125^p down.
    double attack = log(SCORE_ATTACK / 0.004) / log(250), release = log(SCORE_RELEASE / 0.008) / log(125);
    fprintf(file, "{ \"Version\": 1.0, \"Pattern\": [\n");
    for (long repeat = 0; repeat < score->repeats && !score->is_taps; repeat++)
        // The decay, of all voices at once: Thrum's own ends in nothing.
        fprintf(file,
                "{ \"ParameterCurve\": { \"ParameterID\": \"HapticIntensityControl\", \"Time\": %.9g,"
                " \"ParameterCurveControlPoints\": [ { \"Time\": 0, \"ParameterValue\": 1 },"
                " { \"Time\": %.9g, \"ParameterValue\": 1 }, { \"Time\": %.9g, \"ParameterValue\": %.9g } ] } },\n",
                (double)repeat * score->seconds, SCORE_ATTACK, SCORE_ATTACK + score_decay(score), SCORE_HELD);
    for (long event = 0; event < score->count * score->repeats; event++) {
        long voice = event % score->count;
        const char *comma = event + 1 < score->count * score->repeats ? "," : "";
        double sharpness = score_sharpness(score, voice);
        if (score->is_taps)
            fprintf(file,
                    "{ \"Event\": { \"Time\": %.9g, \"EventType\": \"HapticTransient\", \"EventParameters\": ["
                    " { \"ParameterID\": \"HapticIntensity\", \"ParameterValue\": 1 },"
                    " { \"ParameterID\": \"HapticSharpness\", \"ParameterValue\": %.9g } ] } }%s\n",
                    score_start(score, event), sharpness, comma);
        else
            // Half of full scale at full intensity.
            fprintf(file,
                    "{ \"Event\": { \"Time\": %.9g, \"EventType\": \"HapticContinuous\", \"EventDuration\": %.9g,"
                    " \"EventParameters\": ["
                    " { \"ParameterID\": \"HapticIntensity\", \"ParameterValue\": %.9g },"
                    " { \"ParameterID\": \"HapticSharpness\", \"ParameterValue\": %.9g },"
                    " { \"ParameterID\": \"AttackTime\", \"ParameterValue\": %.9g },"
                    " { \"ParameterID\": \"ReleaseTime\", \"ParameterValue\": %.9g } ] } }%s\n",
                    score_start(score, event), score_tone_seconds(score), 2 * score_amplitude(score, voice), sharpness, attack, release, comma);
    }
    fprintf(file, "] }\n");
}

static void write_csound(const struct score *score, FILE *file) {
    fprintf(file, "<CsoundSynthesizer>\n<CsInstruments>\nsr = %.0f\nksmps = %d\nnchnls = 1\n0dbfs = 1\n", score->rate,
            score->is_taps ? 16 : 64);
    fprintf(file, "giSine ftgen 1, 0, 16384, 10, 1\ninstr 1\n");
    if (score->is_taps)
        fprintf(file, "aLevel linseg 0, %.9g, p5, %.9g, 0\n", SCORE_TAP_ATTACK, SCORE_TAP_FALL);
    else
        fprintf(file, "aLevel linseg 0, %.9g, p5, %.9g, p5 * %.9g, %.9g, p5 * %.9g, %.9g, 0\n", SCORE_ATTACK,
                score_decay(score), SCORE_HELD, score_tone_seconds(score) - SCORE_ATTACK - score_decay(score),
                SCORE_HELD, SCORE_RELEASE);
    fprintf(file, "aTone poscil aLevel, p4, 1\nout aTone\nendin\n</CsInstruments>\n<CsScore>\n");
    for (long event = 0; event < score->count * score->repeats; event++)
        fprintf(file, "i1 %.9g %.9g %.9g %.9g\n", score_start(score, event),
                score->is_taps ? SCORE_TAP_ATTACK + SCORE_TAP_FALL : score->seconds,
                score_hertz(score, event % score->count), score_amplitude(score, event % score->count));
    fprintf(file, "f0 %.9g\ne\n</CsScore>\n</CsoundSynthesizer>\n", score->seconds * (double)score->repeats);
}

// SuperCollider's score is a sequence of OSC bundles, and its instrument a compiled graph; both are big-endian.
struct bytes {
    unsigned char data[4096];
    size_t count;
};

static void put(struct bytes *bytes, const void *from, size_t count) {
    memcpy(bytes->data + bytes->count, from, count);
    bytes->count += count;
}

static void put_number(struct bytes *bytes, uint32_t value, int size) {
    for (int place = size - 1; place >= 0; place--) bytes->data[bytes->count++] = (unsigned char)(value >> 8 * place);
}

static void put_float(struct bytes *bytes, double value) {
    union {
        float number;
        uint32_t bits;
    } both = {.number = (float)value};
    put_number(bytes, both.bits, 4);
}

// A string with its length before it, as graphs have them.
static void put_name(struct bytes *bytes, const char *name) {
    put_number(bytes, (uint32_t)strlen(name), 1);
    put(bytes, name, strlen(name));
}

// A string with zeros behind it up to a multiple of four, as OSC has them.
static void put_text(struct bytes *bytes, const char *text) {
    put(bytes, text, strlen(text));
    do bytes->data[bytes->count++] = 0;
    while (bytes->count % 4 != 0);
}

// Constants of the graph, in the order of their numbers.
struct graph {
    double constants[64];
    int count;
};

static void put_unit(struct bytes *bytes, const char *name, int rate, int inputs, int outputs, int special) {
    put_name(bytes, name);
    put_number(bytes, (uint32_t)rate, 1);
    put_number(bytes, (uint32_t)inputs, 4);
    put_number(bytes, (uint32_t)outputs, 4);
    put_number(bytes, (uint32_t)special, 2);
}

static void put_constant(struct bytes *bytes, struct graph *graph, double value) {
    put_number(bytes, 0xFFFFFFFF, 4);
    put_number(bytes, (uint32_t)graph->count, 4);
    graph->constants[graph->count++] = value;
}

static void put_input(struct bytes *bytes, int unit, int output) {
    put_number(bytes, (uint32_t)unit, 4);
    put_number(bytes, (uint32_t)output, 4);
}

// Out.ar(0, SinOsc.ar(hertz) * EnvGen.kr(envelope, levelScale: amplitude, doneAction: 2)); for taps the envelope is at audio
// rate, as they are shorter than a few blocks.
static void put_graph(const struct score *score, struct bytes *bytes) {
    struct graph graph = {.count = 0};
    struct bytes units = {.count = 0};
    int envelope_rate = score->is_taps ? 2 : 1;
    put_unit(&units, "Control", 1, 0, 2, 0);
    put_number(&units, 1, 1);
    put_number(&units, 1, 1);
    put_unit(&units, "SinOsc", 2, 2, 1, 0);
    put_input(&units, 0, 0);
    put_constant(&units, &graph, 0);
    put_number(&units, 2, 1);
    double tone[] = {0,
                     4,
                     -99,
                     -99,
                     1,
                     SCORE_ATTACK,
                     1,
                     0,
                     SCORE_HELD,
                     score_decay(score),
                     1,
                     0,
                     SCORE_HELD,
                     score_tone_seconds(score) - SCORE_ATTACK - score_decay(score),
                     1,
                     0,
                     0,
                     SCORE_RELEASE,
                     1,
                     0};
    double tap[] = {0, 2, -99, -99, 1, SCORE_TAP_ATTACK, 1, 0, 0, SCORE_TAP_FALL, 1, 0};
    int count = score->is_taps ? sizeof tap / sizeof *tap : sizeof tone / sizeof *tone;
    put_unit(&units, "EnvGen", envelope_rate, 5 + count, 1, 0);
    put_constant(&units, &graph, 1);
    put_input(&units, 0, 1);
    put_constant(&units, &graph, 0);
    put_constant(&units, &graph, 1);
    put_constant(&units, &graph, 2);
    for (int index = 0; index < count; index++)
        put_constant(&units, &graph, score->is_taps ? tap[index] : tone[index]);
    put_number(&units, (uint32_t)envelope_rate, 1);
    put_unit(&units, "BinaryOpUGen", 2, 2, 1, 2);
    put_input(&units, 1, 0);
    put_input(&units, 2, 0);
    put_number(&units, 2, 1);
    put_unit(&units, "Out", 2, 2, 0, 0);
    put_constant(&units, &graph, 0);
    put_input(&units, 3, 0);

    put(bytes, "SCgf", 4);
    put_number(bytes, 2, 4);
    put_number(bytes, 1, 2);
    put_name(bytes, "voice");
    put_number(bytes, (uint32_t)graph.count, 4);
    for (int index = 0; index < graph.count; index++) put_float(bytes, graph.constants[index]);
    put_number(bytes, 2, 4);
    put_float(bytes, 100);
    put_float(bytes, 0);
    put_number(bytes, 2, 4);
    put_name(bytes, "hertz");
    put_number(bytes, 0, 4);
    put_name(bytes, "amplitude");
    put_number(bytes, 1, 4);
    put_number(bytes, 5, 4);
    put(bytes, units.data, units.count);
    put_number(bytes, 0, 2);
}

// A bundle of one message at a time of the score.
static void write_bundle(FILE *file, double seconds, const struct bytes *message) {
    struct bytes head = {.count = 0};
    put_number(&head, (uint32_t)(20 + message->count), 4);
    put_text(&head, "#bundle");
    put_number(&head, (uint32_t)seconds, 4);
    put_number(&head, (uint32_t)((seconds - floor(seconds)) * 4294967296.0), 4);
    put_number(&head, (uint32_t)message->count, 4);
    fwrite(head.data, 1, head.count, file);
    fwrite(message->data, 1, message->count, file);
}

static void write_supercollider(const struct score *score, FILE *file) {
    struct bytes graph = {.count = 0}, message = {.count = 0};
    put_graph(score, &graph);
    put_text(&message, "/d_recv");
    put_text(&message, ",b");
    put_number(&message, (uint32_t)graph.count, 4);
    put(&message, graph.data, graph.count);
    while (message.count % 4 != 0) message.data[message.count++] = 0;
    write_bundle(file, 0, &message);
    for (long event = 0; event < score->count * score->repeats; event++) {
        message.count = 0;
        put_text(&message, "/s_new");
        put_text(&message, ",siiisfsf");
        put_text(&message, "voice");
        put_number(&message, (uint32_t)(1000 + event), 4);
        put_number(&message, 0, 4);
        put_number(&message, 0, 4);
        put_text(&message, "hertz");
        put_float(&message, score_hertz(score, event % score->count));
        put_text(&message, "amplitude");
        put_float(&message, score_amplitude(score, event % score->count));
        write_bundle(file, score_start(score, event), &message);
    }
    message.count = 0;
    put_text(&message, "/c_set");
    put_text(&message, ",if");
    put_number(&message, 0, 4);
    put_float(&message, 0);
    write_bundle(file, score->seconds * (double)score->repeats, &message);
}

// Pure Data: an oscillator, a line and a product for each voice, all into a table that is written to a file at the end.
static void write_pure_data(const struct score *score, FILE *file, const char *folder) {
    double level = score_amplitude(score, 0), hold = score_tone_seconds(score);
    double whole = score->seconds * (double)score->repeats;
    fprintf(file, "#N canvas 0 0 450 300 12;\n");
    fprintf(file, "#X obj 0 0 loadbang;\n#X obj 0 0 t b b b b;\n#X msg 0 0 \\; pd dsp 1;\n");
    fprintf(file, "#X msg 0 0 0 \\, %.9g %.9g \\, %.9g %.9g %.9g \\, 0 %.9g %.9g;\n", level, SCORE_ATTACK * 1000,
            level * SCORE_HELD, score_decay(score) * 1000, SCORE_ATTACK * 1000, SCORE_RELEASE * 1000, hold * 1000);
    fprintf(file, "#X obj 0 0 tabwrite~ record;\n#X obj 0 0 delay %.9g;\n#X obj 0 0 t b b;\n", whole * 1000);
    fprintf(file, "#X msg 0 0 \\; pd quit;\n#X msg 0 0 write -wave -bytes 4 %s/out.wav record;\n", folder);
    fprintf(file, "#X obj 0 0 soundfiler;\n#X obj 0 0 table record %.0f;\n#X obj 0 0 metro %.9g;\n",
            whole * score->rate, score->seconds * 1000);
    const int first = 12;
    for (long voice = 0; voice < score->count; voice++)
        fprintf(file, "#X obj 0 0 osc~ %.9g;\n#X obj 0 0 vline~;\n#X obj 0 0 *~;\n", score_hertz(score, voice));
    // Right to left: the delay, the record and the envelope are set before time goes.
    const int wires[][4] = {{0, 0, 1, 0}, {1, 3, 5, 0}, {1, 2, 4, 0}, {1, 1, 11, 0}, {11, 0, 3, 0}, {1, 0, 2, 0},
                            {5, 0, 6, 0}, {6, 1, 8, 0}, {6, 0, 7, 0}, {8, 0, 9, 0}};
    for (size_t wire = 0; wire < sizeof wires / sizeof *wires; wire++)
        fprintf(file, "#X connect %d %d %d %d;\n", wires[wire][0], wires[wire][1], wires[wire][2], wires[wire][3]);
    for (long voice = 0; voice < score->count; voice++) {
        long base = first + 3 * voice;
        fprintf(file, "#X connect 3 0 %ld 0;\n#X connect %ld 0 %ld 0;\n#X connect %ld 0 %ld 1;\n#X connect %ld 0 4 0;\n",
                base + 1, base, base + 2, base + 1, base + 2, base + 2);
    }
}

// sox: a channel for each voice, faded in and out and mixed to one. It has no decay, and plays the tones once: what it
// repeats it does not make again.
static void write_sox(const struct score *score, FILE *file) {
    fprintf(file, "synth %.9g", score->seconds);
    for (long voice = 0; voice < score->count; voice++) fprintf(file, " sine %.9g", score_hertz(score, voice));
    fprintf(file, " fade t %.9g %.9g %.9g remix - vol %.9g\n", SCORE_ATTACK, score->seconds, SCORE_RELEASE, SCORE_LEVEL);
}

int main(int count, char **arguments) {
    if (count != 7) {
        fprintf(stderr, "usage: score tones|taps COUNT RATE SECONDS REPEATS FOLDER\n");
        return 2;
    }
    struct score score = score_read(arguments + 1);
    const char *folder = arguments[6];
    FILE *file = create(folder, "score.ahap");
    write_ahap(&score, file);
    fclose(file);
    file = create(folder, "score.csd");
    write_csound(&score, file);
    fclose(file);
    file = create(folder, "score.osc");
    write_supercollider(&score, file);
    fclose(file);
    file = create(folder, "score.pd");
    write_pure_data(&score, file, folder);
    fclose(file);
    file = create(folder, "score.sox");
    write_sox(&score, file);
    fclose(file);
    return 0;
}

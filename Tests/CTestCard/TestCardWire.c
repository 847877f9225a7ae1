#include "TestCardWire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Frames on each side that a value between frames is made from.
enum { REACH = 32 };

// Cards that play on wires; under the clock's lock.
static struct card *players;

void card_wire_add(struct card *card) {
    card->next_player = players;
    players = card;
}

void card_wire_remove(struct card *card) {
    for (struct card **at = &players; *at; at = &(*at)->next_player) {
        if (*at != card) continue;
        *at = card->next_player;
        return;
    }
}

void card_wire_set_up(struct card *card, const char *delay, const char *gain, const char *noise) {
    double frames = strtod(delay, NULL);
    card->loop_delay_frames = (int64_t)floor(frames);
    card->loop_fraction = frames - floor(frames);
    card->loop_gain = gain ? pow(10, strtod(gain, NULL) / 20) : 1;
    card->loop_noise = noise ? pow(10, strtod(noise, NULL) / 20) : 0;
}

int64_t card_wire_start(struct card *card) {
    if (card->is_hand_turned) return card_place(card, card->start_nanoseconds);
    // Streams in real time begin on the wire's grid but for the nanoseconds lost in rounding.
    return card_place(card, card->start_nanoseconds + 500000000 / (int64_t)card->io.rate);
}

static double decoded(const unsigned char *at, snd_pcm_format_t format) {
    uint32_t bits;
    float value;
    switch (format) {
    case SND_PCM_FORMAT_S16_LE: return (int16_t)(at[0] | at[1] << 8) / 32768.0;
    case SND_PCM_FORMAT_S24_LE:
    case SND_PCM_FORMAT_S24_3LE:
        bits = (uint32_t)at[0] << 8 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 24;
        return (int32_t)bits / 2147483648.0;
    case SND_PCM_FORMAT_S32_LE: memcpy(&bits, at, 4); return (int32_t)bits / 2147483648.0;
    default: memcpy(&value, at, 4); return value;
    }
}

// What the actuator that is wired to the card does while a frame sounds.
static void move(struct card *card, int64_t place, const char *frame) {
    double drive = decoded((const unsigned char *)frame, card->io.format);
    float told = (float)card_actuator_move(card->actuator, place, 0, drive, card->io.rate);
    if (fwrite(&told, sizeof told, 1, card->motion) != 1) perror("test card");
}

void card_wire_put(struct card *card, int64_t frame) {
    if (!card->queue || card->is_capture) return;
    int64_t size = (int64_t)card->io.buffer_size, place = card_wire_start(card);
    int64_t first = card->wired > card->played ? card->wired : card->played;
    for (int64_t one = first; one < frame; one++) {
        const char *at = card->queue + (size_t)((card->stream_first + one) % size) * card->frame_bytes;
        card_loop_put(card->loop, place + one, at, card->frame_bytes);
        if (card->motion && card->actuator) move(card, place + one, at);
    }
    if (frame > card->wired) card->wired = frame;
}

// What the others have played by now, of which they learn at their own next call.
static void bring_up(struct card_loop *loop, int64_t now) {
    for (struct card *card = players; card; card = card->next_player)
        if (card->loop == loop && !card->is_hand_turned) card_put_due(card, now);
}

static void encode(double sample, unsigned char *at, snd_pcm_format_t format) {
    int is_float = format == SND_PCM_FORMAT_FLOAT_LE;
    double steps = format == SND_PCM_FORMAT_S16_LE ? 32768.0 : format == SND_PCM_FORMAT_S32_LE ? 2147483648.0 : 8388608.0;
    double clamped = sample > 1 ? 1 : sample < -1 ? -1 : sample;
    int64_t whole = llround(clamped * steps);
    if (whole >= (int64_t)steps) whole = (int64_t)steps - 1;
    float value = (float)sample;
    uint32_t bits = (uint32_t)(int32_t)whole;
    if (is_float) memcpy(&bits, &value, 4);
    size_t bytes = (size_t)snd_pcm_format_physical_width(format) / 8;
    for (size_t byte = 0; byte < bytes; byte++) at[byte] = (unsigned char)(bits >> 8 * byte);
}

static double even(uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return (double)((bits ^ (bits >> 31)) >> 11) / 9007199254740992.0;
}

// Gaussian noise that is the same at every hearing of a place.
static double noise_at(int64_t place, unsigned channel) {
    uint64_t seed = ((uint64_t)place * 8 + channel) * 2 * 0x9E3779B97F4A7C15u;
    return sqrt(-2 * log(1 - even(seed))) * cos(6.283185307179586 * even(seed + 0x9E3779B97F4A7C15u));
}

static void set_weights(double *weights, double fraction) {
    for (int index = -REACH; index <= REACH; index++) {
        double place = index - fraction, edge = place / (REACH + 1);
        double sinc = fabs(place) < 1e-12 ? 1 : sin(M_PI * place) / (M_PI * place);
        weights[index + REACH] = fabs(edge) < 1 ? sinc * (0.5 + 0.5 * cos(M_PI * edge)) : 0;
    }
}

void card_wire_hear(struct card *card, int64_t frame, char *frames, size_t count, int64_t now) {
    int64_t place = card_wire_start(card) + frame - card->loop_delay_frames;
    memset(frames, 0, count * card->frame_bytes);
    if (!card->loop) return;
    bring_up(card->loop, now);
    if (card->loop_fraction == 0 && card->loop_gain == 1 && card->loop_noise == 0 && !card->actuator) {
        card_loop_get(card->loop, place, frames, count, card->frame_bytes);
        return;
    }
    // A value between frames is made of those around it: the wire's last ones have to be there already, which takes a delay
    // of REACH frames or more.
    size_t wide = count + 2 * REACH, channels = card->io.channels;
    char *raw = calloc(wide, card->frame_bytes);
    if (!raw) return;
    card_loop_get(card->loop, place - REACH, raw, wide, card->frame_bytes);
    double weights[2 * REACH + 1];
    set_weights(weights, card->loop_fraction);
    size_t bytes = card->frame_bytes / channels;
    for (size_t index = 0; index < count; index++) {
        for (unsigned channel = 0; channel < channels; channel++) {
            double sum = 0;
            for (int tap = -REACH; tap <= REACH; tap++) {
                if (weights[tap + REACH] == 0) continue;
                // A delay of a fraction takes from the frame before.
                size_t at = (index + REACH - (size_t)(tap + REACH) + REACH) * card->frame_bytes + channel * bytes;
                sum += weights[tap + REACH] * decoded((unsigned char *)raw + at, card->io.format);
            }
            int64_t heard = card_wire_start(card) + frame + (int64_t)index;
            if (card->actuator) sum = card_actuator_move(card->actuator, heard, channel, sum, card->io.rate);
            sum = card->loop_gain * sum + card->loop_noise * noise_at(heard, channel);
            encode(sum, (unsigned char *)frames + index * card->frame_bytes + channel * bytes, card->io.format);
        }
    }
    free(raw);
}

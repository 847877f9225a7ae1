#!/usr/bin/env python3
"""Makes the sounds of the patterns beside it: python3 patterns/sounds/make-sounds.py

Each is a sum of decaying partials and filtered noise from a generator of its own, so that the files are the same wherever it
runs but for the last bit of a sample. 24,000 Hz, 16 bits, one channel, little more than 100 kB in all.
"""
import math
import os
import struct

RATE = 24_000


def noise(seed):
    """White noise, -1 to 1, from a linear congruential generator."""
    state = seed
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        yield (state >> 40) / (1 << 23) - 1


def ring(seconds, partials):
    """Decaying partials: (Hz, level, time constant in seconds)."""
    return [
        sum(level * math.exp(-t / tau) * math.sin(2 * math.pi * hertz * t) for hertz, level, tau in partials)
        for t in (frame / RATE for frame in range(int(seconds * RATE)))
    ]


def hiss(seconds, seed, hertz, tau, level):
    """Noise through a low-pass of one pole, decaying."""
    source, smooth = noise(seed), 0.0
    weight = 1 - math.exp(-2 * math.pi * hertz / RATE)
    out = []
    for frame in range(int(seconds * RATE)):
        smooth += weight * (next(source) - smooth)
        out.append(level * math.exp(-frame / RATE / tau) * smooth)
    return out


def bubble(seconds, low, high, tau):
    """A tone that glides upwards as it dies."""
    phase, out = 0.0, []
    for frame in range(int(seconds * RATE)):
        part = frame / RATE / seconds
        phase += 2 * math.pi * low * (high / low) ** part / RATE
        out.append(math.exp(-frame / RATE / tau) * math.sin(phase))
    return out


def rain(seconds, seed):
    """A bed of noise that meets its own beginning, for looping."""
    fade = int(0.25 * RATE)
    bed = hiss(seconds + 0.25, seed, 3000, 1e9, 1.0)
    for frame in range(fade):
        part = frame / fade
        bed[frame] = bed[frame] * math.sqrt(part) + bed[len(bed) - fade + frame] * math.sqrt(1 - part)
    return bed[:len(bed) - fade]


def add(*parts):
    length = max(len(part) for part in parts)
    return [sum(part[frame] for part in parts if frame < len(part)) for frame in range(length)]


def write(name, samples, peak=0.7, ends=True):
    """Scales to a peak, fades the last 5 ms and writes a WAV file."""
    scale = peak / max(abs(sample) for sample in samples)
    tail = int(0.005 * RATE)
    words = []
    for frame, sample in enumerate(samples):
        left = len(samples) - 1 - frame
        gain = scale * (left / tail if ends and left < tail else 1)
        words.append(round(32767 * gain * sample))
    body = struct.pack(f"<{len(words)}h", *words)
    head = b"RIFF" + struct.pack("<I", 36 + len(body)) + b"WAVEfmt "
    head += struct.pack("<IHHIIHH", 16, 1, 1, RATE, 2 * RATE, 2, 16) + b"data" + struct.pack("<I", len(body))
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), "wb") as file:
        file.write(head + body)


write("pluck.wav", ring(0.7, [(220 * k * (1 + 0.0002 * k * k), 1 / k, 0.35 / k) for k in range(1, 13)]))
write("glass.wav", ring(0.6, [(1318, 1, 0.22), (3440, 0.5, 0.12), (6310, 0.25, 0.06), (8930, 0.12, 0.03)]))
write("wood.wav", add(ring(0.12, [(410, 1, 0.025), (1130, 0.5, 0.012)]), hiss(0.05, 3, 4000, 0.004, 1.2)))
write("drop.wav", bubble(0.14, 420, 1500, 0.05))
write("rain.wav", rain(0.75, 11), peak=0.35, ends=False)
write("drum.wav", add(ring(0.45, [(62, 1, 0.14), (118, 0.5, 0.07), (205, 0.2, 0.03)]), hiss(0.08, 5, 1800, 0.012, 1.5)))

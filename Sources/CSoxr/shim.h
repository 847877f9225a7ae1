#pragma once
#include <soxr.h>

// Opens a converter of interleaved Float32 at soxr's very high quality, on the calling thread alone. soxr's recipes are
// macros, and its errors are strings that mean success where they are null.
static inline soxr_t thrum_soxr_open(double from, double to, unsigned channels) {
    soxr_error_t error = 0;
    soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
    soxr_quality_spec_t quality = soxr_quality_spec(SOXR_VHQ, 0);
    soxr_runtime_spec_t runtime = soxr_runtime_spec(1);
    soxr_t converter = soxr_create(from, to, channels, &error, &io, &quality, &runtime);
    if (error && converter) {
        soxr_delete(converter);
        converter = 0;
    }
    return converter;
}

// Converts as much as fits; no input ends the signal. Returns 0 on success.
static inline int thrum_soxr_process(soxr_t converter, const float *in, size_t in_frames, size_t *in_done,
                                     float *out, size_t out_frames, size_t *out_done) {
    return soxr_process(converter, in, in_frames, in_done, out, out_frames, out_done) ? -1 : 0;
}

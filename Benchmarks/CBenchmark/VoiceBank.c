#include "CBenchmark.h"

#pragma STDC FP_CONTRACT OFF

#include "Sine.h"

void thrum_voice_bank_render(thrum_voice_bank *bank, float *restrict out, size_t frames) {
    for (size_t voice = 0; voice < bank->count; voice++) {
        uint32_t phase = bank->phase[voice];
        uint32_t step = bank->step[voice];
        float level = bank->level[voice];
        for (size_t frame = 0; frame < frames; frame++) {
            out[frame] += sine(phase + step * (uint32_t)frame) * level;
        }
        bank->phase[voice] = phase + step * (uint32_t)frames;
    }
}

void thrum_moving_bank_render(thrum_voice_bank *bank, float *restrict out, size_t frames) {
    for (size_t voice = 0; voice < bank->count; voice++) {
        uint32_t phase = bank->phase[voice];
        uint32_t step = bank->step[voice];
        uint32_t bend = bank->bend[voice];
        float level = bank->level[voice];
        float slope = bank->slope[voice];
        for (uint32_t frame = 0; frame < (uint32_t)frames; frame++) {
            // The sum of steps that grow by `bend`, in closed form, so that frames do not wait for one another.
            uint32_t turned = phase + step * frame + bend * (frame * (frame - 1) / 2);
            out[frame] += sine(turned) * (level + slope * (float)(int32_t)frame);
        }
        uint32_t count = (uint32_t)frames;
        bank->phase[voice] = phase + step * count + bend * (count * (count - 1) / 2);
        bank->step[voice] = step + bend * count;
        bank->level[voice] = level + slope * (float)(int32_t)count;
    }
}

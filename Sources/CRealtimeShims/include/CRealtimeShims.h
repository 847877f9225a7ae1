#pragma once
#include <stdint.h>
#include "VoiceKernels.h"

// Sets flush-to-zero and denormals-are-zero for the calling thread and returns the state before.
// Without it a filter that decays into denormals can cost a hundred cycles an operation.
uint64_t thrum_denormals_disable(void);

// Puts back a state that thrum_denormals_disable returned.
void thrum_denormals_restore(uint64_t state);

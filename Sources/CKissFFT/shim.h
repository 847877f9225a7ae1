#pragma once
#include <kissfft/kiss_fftr.h>

// Frees a plan of kiss_fftr_alloc: the library's own name for it is a macro, which Swift cannot see.
static inline void thrum_kiss_fftr_free(kiss_fftr_cfg plan)
{
    KISS_FFT_FREE(plan);
}

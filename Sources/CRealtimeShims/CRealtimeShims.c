#include "CRealtimeShims.h"

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>

// MXCSR bit 15 flushes results to zero, bit 6 reads denormal operands as zero.
static const unsigned flush_bits = 0x8040;

uint64_t thrum_denormals_disable(void) {
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | flush_bits);
    return before;
}

void thrum_denormals_restore(uint64_t state) { _mm_setcsr((unsigned)state); }

#elif defined(__aarch64__)

// FPCR bit 24 flushes denormal operands and results to zero.
uint64_t thrum_denormals_disable(void) {
    uint64_t before;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    __asm__ volatile("msr fpcr, %0" ::"r"(before | (1ull << 24)));
    return before;
}

void thrum_denormals_restore(uint64_t state) { __asm__ volatile("msr fpcr, %0" ::"r"(state)); }

#else

uint64_t thrum_denormals_disable(void) { return 0; }
void thrum_denormals_restore(uint64_t state) { (void)state; }

#endif

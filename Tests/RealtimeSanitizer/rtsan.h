// The three entries of clang's real-time sanitizer that a program calls by hand (compiler-rt, sanitizer/rtsan_interface.h).
#pragma once
void __rtsan_ensure_initialized(void);
void __rtsan_realtime_enter(void);
void __rtsan_realtime_exit(void);

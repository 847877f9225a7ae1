#pragma once
#include <sndfile.h>

// The offsets of sf_open_virtual and some constants are macros or enumerations that Swift sees under other types.
static inline int thrum_sndfile_read_mode(void) { return SFM_READ; }
static inline int thrum_sndfile_write_mode(void) { return SFM_WRITE; }

// libsndfile's own notes on the file it opened, which is where it says that a length in a header is wrong.
static inline int thrum_sndfile_log(SNDFILE *file, char *text, int capacity) {
    return sf_command(file, SFC_GET_LOG_INFO, text, capacity);
}

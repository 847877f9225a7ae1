#pragma once
#include <errno.h>
#include <sndfile.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

// The modes are an enumeration, which Swift sees under another type than the functions take.
static inline int thrum_sndfile_write_mode(void) { return SFM_WRITE; }

// libsndfile's own notes on the file it opened, which is where it says that a length in a header is wrong.
static inline int thrum_sndfile_log(SNDFILE *file, char *text, int capacity) {
    return sf_command(file, SFC_GET_LOG_INFO, text, capacity);
}

// How libsndfile reads what it cannot close. Its pointer for the caller's use holds the descriptor itself, so that nothing has to
// outlive the call that opens.
static sf_count_t thrum_descriptor_length(void *descriptor) {
    struct stat status;
    return fstat((int)(intptr_t)descriptor, &status) == 0 ? status.st_size : -1;
}
static sf_count_t thrum_descriptor_seek(sf_count_t offset, int whence, void *descriptor) {
    return lseek((int)(intptr_t)descriptor, offset, whence);
}
static sf_count_t thrum_descriptor_tell(void *descriptor) {
    return lseek((int)(intptr_t)descriptor, 0, SEEK_CUR);
}
static sf_count_t thrum_descriptor_read(void *target, sf_count_t size, void *descriptor) {
    sf_count_t done = 0;
    while (done < size) {
        ssize_t count = read((int)(intptr_t)descriptor, (char *)target + done, (size_t)(size - done));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        done += count;
    }
    return done;
}

// Opens a descriptor for reading, which stays the caller's. sf_open_fd would close one that it refuses, whatever its last
// argument says, and then it may be another thread's.
static inline SNDFILE *thrum_sndfile_open(int descriptor, SF_INFO *info) {
    SF_VIRTUAL_IO access = {
        .get_filelen = thrum_descriptor_length,
        .seek = thrum_descriptor_seek,
        .read = thrum_descriptor_read,
        .tell = thrum_descriptor_tell,
    };
    return sf_open_virtual(&access, SFM_READ, info, (void *)(intptr_t)descriptor);
}

// Small instruments for Benchmarks/peers.sh.
//
//   measure run COMMAND...          prints microseconds of processor time, of time on the wall, and KiB of memory at most;
//                                   the command's own output goes nowhere
//   measure rms FILE.wav FROM TO    prints the root mean square of a WAV file of Float32 or 16 bits between two seconds
//   measure spawn COMMAND...        prints CLOCK_MONOTONIC in nanoseconds to standard error before it becomes the command
//   measure send TEXT               prints that time to standard error and writes the text to standard output
//   measure osc PORT SCORE N        prints that time and sends the message in the Nth bundle of a score to SuperCollider
//   measure onset LOG FRAMES NANOSECONDS    prints microseconds from a time to the first loud frame that the simulated card
//                                   sounded after it (docs/fault-card.md; 16 bits), and the xruns on the way
#include <arpa/inet.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int run(char **command) {
    long long start = nanoseconds();
    pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) {
        int nowhere = open("/dev/null", O_RDWR);
        for (int descriptor = 0; descriptor < 3; descriptor++) dup2(nowhere, descriptor);
        execvp(command[0], command);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) < 0) return 1;
    long long wall = nanoseconds() - start;
    printf("%lld %lld %ld\n",
           (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec,
           wall / 1000, usage.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static char *read_all(const char *path, size_t *count) {
    FILE *file = fopen(path, "r");
    if (!file) return NULL;
    char *bytes = NULL;
    size_t capacity = 0;
    *count = 0;
    for (;;) {
        if (*count + 1 >= capacity) {
            char *more = realloc(bytes, capacity = capacity * 2 + 65537);
            if (!more) break;
            bytes = more;
        }
        size_t got = fread(bytes + *count, 1, capacity - *count - 1, file);
        if (got == 0) break;
        *count += got;
    }
    fclose(file);
    if (bytes) bytes[*count] = 0;
    return bytes;
}

static int rms(const char *path, double from, double to) {
    size_t count;
    char *bytes = read_all(path, &count);
    if (!bytes || count < 44) return 1;
    uint16_t channels = 1, bits = 32;
    uint32_t rate = 1;
    for (size_t place = 12; place + 8 <= count;) {
        uint32_t size;
        memcpy(&size, bytes + place + 4, 4);
        if (memcmp(bytes + place, "fmt ", 4) == 0) {
            memcpy(&channels, bytes + place + 10, 2);
            memcpy(&rate, bytes + place + 12, 4);
            memcpy(&bits, bytes + place + 22, 2);
        }
        if (memcmp(bytes + place, "data", 4) == 0) {
            size_t have = count - place - 8 < size ? count - place - 8 : size;
            size_t samples = have / (bits / 8);
            size_t first = (size_t)(from * rate) * channels, end = (size_t)(to * rate) * channels;
            double sum = 0;
            for (size_t index = first; index < samples && index < end; index++) {
                float value;
                int16_t whole;
                memcpy(&value, bytes + place + 8 + index * 4, bits == 32 ? 4 : 0);
                if (bits == 16) {
                    memcpy(&whole, bytes + place + 8 + index * 2, 2);
                    value = (float)whole / 32768;
                }
                sum += (double)value * value;
            }
            printf("%.6f\n", sqrt(sum / (double)(end - first)));
            return 0;
        }
        place += 8 + (size_t)size + size % 2;
    }
    return 1;
}

static int onset(const char *log_path, const char *frames_path, long long since) {
    size_t count, size;
    char *log = read_all(log_path, &size), *bytes = read_all(frames_path, &count);
    if (!log || !bytes) return 1;
    long rate = 48000, channels = 1;
    struct {
        long long first, time;
    } plays[4096];
    int play_count = 0, xruns = 0, was_xrun = 0;
    for (char *line = strtok(log, "\n"); line; line = strtok(NULL, "\n")) {
        long long first, time;
        char why[8] = "";
        sscanf(line, "open %ld %ld", &rate, &channels);
        // One that nothing follows is the end: who waits for the last frame lets the card run dry.
        if (sscanf(line, "stop %lld %lld %7s", &first, &time, why) == 3) was_xrun = strcmp(why, "xrun") == 0;
        if (sscanf(line, "play %lld %lld", &first, &time) == 2 && play_count < 4096) {
            xruns += was_xrun;
            was_xrun = 0;
            plays[play_count].first = first;
            plays[play_count++].time = time;
        }
    }
    for (int play = 0; play < play_count; play++) {
        long long end = play + 1 < play_count ? plays[play + 1].first : (long long)(count / (2 * (size_t)channels));
        for (long long frame = plays[play].first; frame < end; frame++) {
            int16_t sample;
            memcpy(&sample, bytes + frame * channels * 2, 2);
            long long time = plays[play].time + (frame - plays[play].first) * 1000000000 / rate;
            if (time < since || abs(sample) < 300) continue;
            printf("%lld %d\n", (time - since) / 1000, xruns);
            return 0;
        }
    }
    return 1;
}

static uint32_t big_endian(const char *bytes) {
    uint32_t value;
    memcpy(&value, bytes, 4);
    return ntohl(value);
}

static int osc(int port, const char *path, int number) {
    size_t size;
    char *bytes = read_all(path, &size);
    if (!bytes) return 1;
    size_t place = 0;
    for (; number > 0 && place + 4 < size; number--) place += 4 + big_endian(bytes + place);
    // Behind the bundle's size, its name, its time and the size of its message.
    if (place + 24 > size) return 1;
    uint32_t length = big_endian(bytes + place + 20);
    if (place + 24 + length > size) return 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int socket_ = socket(AF_INET, SOCK_DGRAM, 0);
    fprintf(stderr, "%lld\n", nanoseconds());
    ssize_t sent =
        sendto(socket_, bytes + place + 24, length, 0, (struct sockaddr *)&address, sizeof address);
    return sent == (ssize_t)length ? 0 : 1;
}

int main(int count, char **arguments) {
    if (count >= 3 && strcmp(arguments[1], "run") == 0) return run(arguments + 2);
    if (count == 5 && strcmp(arguments[1], "rms") == 0)
        return rms(arguments[2], atof(arguments[3]), atof(arguments[4]));
    if (count == 5 && strcmp(arguments[1], "onset") == 0) return onset(arguments[2], arguments[3], atoll(arguments[4]));
    if (count >= 3 && strcmp(arguments[1], "spawn") == 0) {
        fprintf(stderr, "%lld\n", nanoseconds());
        execvp(arguments[2], arguments + 2);
        return 127;
    }
    if (count == 5 && strcmp(arguments[1], "osc") == 0)
        return osc(atoi(arguments[2]), arguments[3], atoi(arguments[4]));
    if (count == 3 && strcmp(arguments[1], "send") == 0) {
        size_t length = strlen(arguments[2]);
        fprintf(stderr, "%lld\n", nanoseconds());
        return write(STDOUT_FILENO, arguments[2], length) == (ssize_t)length ? 0 : 1;
    }
    fprintf(stderr, "usage: measure run|rms|spawn|send|osc|onset ARGUMENT...\n");
    return 2;
}

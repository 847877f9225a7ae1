#include "CReference.h"

#include <alsa/asoundlib.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

static double nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// Agrees on mapped access where the card has it, which costs less, and on three periods.
static int set_up(snd_pcm_t *pcm, unsigned rate, unsigned channels, size_t period_frames) {
    snd_pcm_hw_params_t *hardware;
    snd_pcm_sw_params_t *software;
    snd_pcm_hw_params_alloca(&hardware);
    snd_pcm_sw_params_alloca(&software);
    snd_pcm_uframes_t period = period_frames, buffer = 3 * period_frames;
    int code = snd_pcm_hw_params_any(pcm, hardware);
    if (code >= 0) code = snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_MMAP_INTERLEAVED);
    if (code >= 0) code = snd_pcm_hw_params_set_format(pcm, hardware, SND_PCM_FORMAT_S16_LE);
    if (code >= 0) code = snd_pcm_hw_params_set_channels(pcm, hardware, channels);
    if (code >= 0) code = snd_pcm_hw_params_set_rate(pcm, hardware, rate, 0);
    if (code >= 0) code = snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, NULL);
    if (code >= 0) code = snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer);
    if (code >= 0) code = snd_pcm_hw_params(pcm, hardware);
    if (code >= 0) code = snd_pcm_sw_params_current(pcm, software);
    if (code >= 0) code = snd_pcm_sw_params_set_avail_min(pcm, software, period);
    if (code >= 0) code = snd_pcm_sw_params_set_start_threshold(pcm, software, buffer);
    if (code >= 0) code = snd_pcm_sw_params(pcm, software);
    return code;
}

struct job {
    snd_pcm_t *pcm;
    int16_t *zeros;
    size_t period_frames;
    unsigned rate;
    long periods;
    int priority;
    double *late;
    thrum_reference_idle_result *result;
    int code;
};

static void *run(void *argument) {
    struct job *job = argument;
    thrum_reference_idle_result *result = job->result;
    struct sched_param parameters = {.sched_priority = job->priority};
    result->is_fifo =
        job->priority > 0 && pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0;
    for (int period = 0; period < 3 && job->code >= 0; period++)
        job->code = (int)snd_pcm_mmap_writei(job->pcm, job->zeros, job->period_frames);
    double processor = nanoseconds(CLOCK_THREAD_CPUTIME_ID), wall = nanoseconds(CLOCK_MONOTONIC);
    while (result->periods < job->periods && job->code >= 0) {
        job->code = snd_pcm_wait(job->pcm, 1000);
        if (job->code >= 0) {
            snd_pcm_sframes_t room = snd_pcm_avail_update(job->pcm);
            if (room >= 0 && job->late)
                job->late[result->late_count++] =
                    (double)(room > (snd_pcm_sframes_t)job->period_frames
                                 ? room - (snd_pcm_sframes_t)job->period_frames
                                 : 0)
                    * 1e6 / job->rate;
            job->code = room < 0 ? (int)room : (int)snd_pcm_mmap_writei(job->pcm, job->zeros, job->period_frames);
        }
        if (job->code == -EPIPE) {
            result->xruns++;
            job->code = snd_pcm_prepare(job->pcm);
            for (int period = 0; period < 3 && job->code >= 0; period++)
                job->code = (int)snd_pcm_mmap_writei(job->pcm, job->zeros, job->period_frames);
        }
        result->periods++;
    }
    result->processor_nanoseconds = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - processor;
    result->wall_nanoseconds = nanoseconds(CLOCK_MONOTONIC) - wall;
    return NULL;
}

int thrum_reference_idle(const char *name, unsigned rate, unsigned channels, size_t period_frames, long periods,
                         int priority, double *late, thrum_reference_idle_result *result) {
    snd_pcm_t *pcm;
    *result = (thrum_reference_idle_result){0};
    int code = snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, 0);
    if (code < 0) return code;
    struct job job = {pcm, NULL, period_frames, rate, periods, priority, late, result, 0};
    job.code = set_up(pcm, rate, channels, period_frames);
    job.zeros = calloc(period_frames * channels, sizeof *job.zeros);
    if (!job.zeros) job.code = -ENOMEM;
    pthread_t thread;
    if (job.code >= 0) job.code = -pthread_create(&thread, NULL, run, &job);
    if (job.code >= 0) pthread_join(thread, NULL);
    snd_pcm_close(pcm);
    free(job.zeros);
    return job.code < 0 ? job.code : 0;
}

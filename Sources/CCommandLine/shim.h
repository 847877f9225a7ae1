#pragma once
// What the Swift module of the C library leaves out.
#include <getopt.h>
#include <sys/eventfd.h>

// getopt_long keeps its state in globals, which Swift refuses to read; this hands back what a step found.
struct thrum_option_step {
  int value;             // the option's val, '?' for a mistake, ':' for a missing argument, -1 at the end
  int mistaken;          // optopt: the val or letter of a mistaken option, 0 for an unknown long one
  int next;              // optind: the first word not yet scanned
  const char *argument;  // optarg
};

static inline void thrum_option_start(void) {
  optind = 0;  // 0, not 1, makes glibc forget an earlier scan
  opterr = 0;
}

static inline struct thrum_option_step thrum_option_next(
    int count, char *const *words, const char *letters, const struct option *options) {
  optopt = 0;
  optarg = 0;
  struct thrum_option_step step;
  step.value = getopt_long(count, words, letters, options, 0);
  step.mistaken = optopt;
  step.next = optind;
  step.argument = optarg;
  return step;
}

#pragma once
#include <systemd/sd-bus.h>
// What wakes a thread that waits for a bus; Glibc's module leaves it out.
#include <sys/eventfd.h>

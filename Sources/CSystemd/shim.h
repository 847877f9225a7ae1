#pragma once
#include <systemd/sd-bus.h>
// What wakes a thread that waits for a bus; Glibc's module leaves it out.
#include <sys/eventfd.h>

// Begins to connect to the bus of an address. `*bus` is the caller's to let go of, whatever is returned.
static inline int thrum_bus_open_address(sd_bus **bus, const char *address) {
    int code = sd_bus_new(bus);
    if (code >= 0) code = sd_bus_set_address(*bus, address);
    if (code >= 0) code = sd_bus_set_bus_client(*bus, 1);
    if (code >= 0) code = sd_bus_start(*bus);
    return code;
}

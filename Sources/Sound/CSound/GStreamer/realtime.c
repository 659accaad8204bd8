// For SCHED_RESET_ON_FORK.
#define _GNU_SOURCE
#include "gstreamer_shim.h"

#include <sched.h>

gboolean segue_make_realtime(gint priority) {
    struct sched_param parameters = {.sched_priority = priority};
    // The threads that this one starts are not in such a hurry.
    return sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &parameters) == 0;
}

/* Shows a program another time of day than the system's, for one that is started with this library in LD_PRELOAD.
 *
 * CLOCK_FILE names a file with two signed 64-bit numbers, which the test maps too and changes while the program runs:
 * by how many nanoseconds the time of day is ahead, and the clock that goes on while a machine sleeps. The monotonic
 * clock stays as it is, as when someone sets the clock, a machine without one gets the time from the network, or one
 * wakes up.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t *ahead;

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("CLOCK_FILE");
    unsetenv("LD_PRELOAD");
    int file = name ? open(name, O_RDONLY) : -1;
    if (file < 0) return;
    void *memory = mmap(NULL, 2 * sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (memory != MAP_FAILED) ahead = memory;
}

static int is_time_of_day(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE; }

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real ? real(clock, time) : (int)syscall(SYS_clock_gettime, clock, time);
    int counts_sleep = clock == CLOCK_BOOTTIME || clock == CLOCK_BOOTTIME_ALARM;
    if (result != 0 || !ahead || !(counts_sleep || is_time_of_day(clock))) return result;
    int64_t shown = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec + ahead[counts_sleep];
    time->tv_sec = shown / 1000000000;
    time->tv_nsec = shown % 1000000000;
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}

int timespec_get(struct timespec *now, int base) {
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}

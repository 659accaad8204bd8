// Two threads at a ring of frames, for the sanitizers: one writes numbers, discards and holds, the other takes them.
// Only
// numbers that were written at that place may be taken. Exits with 1 otherwise.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "frame_ring.h"

enum { FRAMES = 200000, CHANNELS = 3 };

static SegueFrameRing ring;
static int is_done;

static void *take(void *unused) {
    int16_t samples[64 * CHANNELS];
    while (!__atomic_load_n(&is_done, __ATOMIC_ACQUIRE)) {
        uint64_t place = 0;
        uint32_t frames = 1 + (uint32_t)(rand() % 64);
        uint32_t count = segue_ring_take(&ring, (uint8_t *)samples, frames, &place);
        for (uint32_t frame = 0; frame < count; frame++) {
            for (int channel = 0; channel < CHANNELS; channel++) {
                if (samples[frame * CHANNELS + channel] == (int16_t)((place + frame) * CHANNELS + channel)) continue;
                fprintf(stderr, "frame %llu is wrong\n", (unsigned long long)(place + frame));
                exit(1);
            }
        }
        if (count > 0) segue_ring_tell(&ring, place, place + count, (int64_t)place);
    }
    return unused;
}

static void write_some(void) {
    int16_t samples[64 * CHANNELS];
    uint32_t frames = (uint32_t)(rand() % 65), room = segue_ring_room(&ring);
    if (frames > room) frames = room;
    for (uint32_t index = 0; index < frames * CHANNELS; index++) {
        samples[index] = (int16_t)(ring.written * CHANNELS + index);
    }
    segue_ring_write(&ring, (const uint8_t *)samples, frames);
}

int main(void) {
    if (!segue_ring_begin(&ring, 1000, CHANNELS, sizeof(int16_t), false)) return 1;
    pthread_t reader;
    if (pthread_create(&reader, NULL, take, NULL) != 0) return 1;
    for (int round = 0; __atomic_load_n(&ring.taken, __ATOMIC_ACQUIRE) < FRAMES; round++) {
        write_some();
        uint64_t place;
        int64_t moment;
        if (segue_ring_heard(&ring, round, &place, &moment) && place > ring.written) return 1;
        if (round % 97 == 0) segue_ring_discard(&ring);
        if (round % 31 == 0) segue_ring_pause(&ring, round % 62 == 0);
    }
    __atomic_store_n(&is_done, 1, __ATOMIC_RELEASE);
    pthread_join(reader, NULL);
    segue_ring_end(&ring);
    return 0;
}

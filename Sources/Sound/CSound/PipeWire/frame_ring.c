#include "frame_ring.h"

#include <stdlib.h>
#include <string.h>

bool segue_ring_begin(SegueFrameRing *ring, uint32_t rate, uint32_t channels, uint32_t size, bool is_float) {
    segue_ring_end(ring);
    uint32_t stride;
    if (rate == 0 || __builtin_mul_overflow(size, channels, &stride) || stride == 0) return false;
    ring->bytes = calloc(rate, stride);
    if (!ring->bytes) return false;
    ring->capacity = ring->rate = rate;
    ring->stride = stride;
    ring->channels = channels;
    ring->is_float = is_float;
    ring->level = ring->goal = ring->target;
    return true;
}

void segue_ring_end(SegueFrameRing *ring) {
    free(ring->bytes);
    SegueFrameRing empty = {.is_paused = ring->is_paused, .target = ring->target};
    *ring = empty;
}

// The writer.

uint32_t segue_ring_room(const SegueFrameRing *ring) {
    return ring->capacity - (uint32_t)(ring->written - __atomic_load_n(&ring->taken, __ATOMIC_ACQUIRE));
}

uint32_t segue_ring_waiting(const SegueFrameRing *ring) {
    uint64_t taken = __atomic_load_n(&ring->taken, __ATOMIC_ACQUIRE);
    return (uint32_t)(ring->written - (taken > ring->kept_from ? taken : ring->kept_from));
}

void segue_ring_write(SegueFrameRing *ring, const uint8_t *bytes, uint32_t frames) {
    uint32_t room = segue_ring_room(ring);
    if (frames > room) frames = room;
    if (frames == 0) return;
    uint32_t begin = (uint32_t)(ring->written % ring->capacity), whole = ring->capacity - begin;
    uint32_t head = frames < whole ? frames : whole;
    memcpy(ring->bytes + (size_t)begin * ring->stride, bytes, (size_t)head * ring->stride);
    memcpy(ring->bytes, bytes + (size_t)head * ring->stride, (size_t)(frames - head) * ring->stride);
    __atomic_store_n(&ring->written, ring->written + frames, __ATOMIC_RELEASE);
}

void segue_ring_discard(SegueFrameRing *ring) {
    __atomic_store_n(&ring->kept_from, ring->written, __ATOMIC_RELEASE);
}

void segue_ring_pause(SegueFrameRing *ring, bool is_paused) {
    __atomic_store_n(&ring->is_paused, is_paused, __ATOMIC_RELEASE);
}

void segue_ring_set_volume(SegueFrameRing *ring, float factor) {
    __atomic_store(&ring->target, &factor, __ATOMIC_RELAXED);
}

bool segue_ring_heard(const SegueFrameRing *ring, int64_t now, uint64_t *place, int64_t *heard_at) {
    uint64_t first, end;
    int64_t moment;
    for (;;) {
        uint32_t turn = __atomic_load_n(&ring->turn, __ATOMIC_SEQ_CST);
        first = __atomic_load_n(&ring->first, __ATOMIC_SEQ_CST);
        end = __atomic_load_n(&ring->end, __ATOMIC_SEQ_CST);
        moment = __atomic_load_n(&ring->heard_at, __ATOMIC_SEQ_CST);
        if (turn == 0) return false;
        if (turn % 2 == 0 && turn == __atomic_load_n(&ring->turn, __ATOMIC_SEQ_CST)) break;
    }
    int64_t frames = (now - moment) / 1000 * ring->rate / 1000000, found = (int64_t)first + frames;
    *place = found < 0 ? 0 : found > (int64_t)end ? end : (uint64_t)found;
    *heard_at = moment;
    return true;
}

// The reader.

/// Scales samples, which takes ten milliseconds to get from one factor to another.
static void scale(SegueFrameRing *ring, float *samples, uint32_t frames) {
    float goal;
    __atomic_load(&ring->target, &goal, __ATOMIC_RELAXED);
    if (goal != ring->goal) {
        ring->goal = goal;
        ring->steps = ring->rate < 100 ? 1 : ring->rate / 100;
        ring->step = (goal - ring->level) / (float)ring->steps;
    }
    if (ring->steps == 0 && ring->level == 1) return;
    for (uint32_t frame = 0; frame < frames; frame++) {
        if (ring->steps > 0) ring->level = --ring->steps == 0 ? ring->goal : ring->level + ring->step;
        for (uint32_t channel = 0; channel < ring->channels; channel++) {
            samples[(size_t)frame * ring->channels + channel] *= ring->level;
        }
    }
}

/// Notes a gap, or of silence that may become one; `joins` says that nothing was discarded or held.
static void note_gap(SegueFrameRing *ring, uint64_t from, uint32_t count, uint32_t frames, bool joins) {
    if (!joins) ring->flows = ring->is_dry = false;
    if (count > 0 && ring->is_dry) {
        __atomic_store_n(&ring->gap_at, from, __ATOMIC_RELAXED);
        __atomic_store_n(&ring->gap_frames, ring->dry_frames, __ATOMIC_RELAXED);
        __atomic_add_fetch(&ring->gaps, 1, __ATOMIC_RELEASE);
        ring->is_dry = false;
    }
    if (!joins) return;
    if (count < frames && (ring->flows || count > 0)) {
        ring->is_dry = true;
        ring->dry_frames = 0;
    }
    if (ring->is_dry) ring->dry_frames += frames - count;
    ring->flows = count == frames;
}

uint32_t segue_ring_gaps(const SegueFrameRing *ring, uint64_t *place, uint64_t *frames) {
    uint32_t gaps = __atomic_load_n(&ring->gaps, __ATOMIC_ACQUIRE);
    *place = __atomic_load_n(&ring->gap_at, __ATOMIC_RELAXED);
    *frames = __atomic_load_n(&ring->gap_frames, __ATOMIC_RELAXED);
    return gaps;
}

uint32_t segue_ring_take(SegueFrameRing *ring, uint8_t *bytes, uint32_t frames, uint64_t *place) {
    if (frames == 0 || ring->capacity == 0) return 0;
    uint64_t from = ring->taken, kept_from = __atomic_load_n(&ring->kept_from, __ATOMIC_ACQUIRE);
    bool joins = kept_from <= from;
    if (!joins) {
        // Nothing continues here, so the volume need not change smoothly.
        from = kept_from;
        __atomic_load(&ring->target, &ring->level, __ATOMIC_RELAXED);
        ring->goal = ring->level;
        ring->steps = 0;
    }
    uint64_t there = __atomic_load_n(&ring->written, __ATOMIC_ACQUIRE) - from;
    uint32_t count = there < frames ? (uint32_t)there : frames;
    if (__atomic_load_n(&ring->is_paused, __ATOMIC_ACQUIRE)) {
        count = 0;
        joins = false;
    }
    if (count > 0) {
        uint32_t begin = (uint32_t)(from % ring->capacity), whole = ring->capacity - begin;
        uint32_t head = count < whole ? count : whole;
        memcpy(bytes, ring->bytes + (size_t)begin * ring->stride, (size_t)head * ring->stride);
        memcpy(bytes + (size_t)head * ring->stride, ring->bytes, (size_t)(count - head) * ring->stride);
        if (ring->is_float) scale(ring, (float *)(void *)bytes, count);
    }
    memset(bytes + (size_t)count * ring->stride, 0, (size_t)(frames - count) * ring->stride);
    note_gap(ring, from, count, frames, joins);
    __atomic_store_n(&ring->taken, from + count, __ATOMIC_RELEASE);
    *place = from;
    return count;
}

void segue_ring_tell(SegueFrameRing *ring, uint64_t place, uint64_t end, int64_t heard_at) {
    __atomic_add_fetch(&ring->turn, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&ring->first, place, __ATOMIC_SEQ_CST);
    __atomic_store_n(&ring->end, end, __ATOMIC_SEQ_CST);
    __atomic_store_n(&ring->heard_at, heard_at, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&ring->turn, 1, __ATOMIC_SEQ_CST);
}

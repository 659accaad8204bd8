// A ring of frames of sound between two threads: one writes, the other takes and is never held up.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// The ring's state. Places count frames since it began; only the functions below read or write its fields.
typedef struct SegueFrameRing {
    uint8_t *bytes;
    uint32_t capacity, stride, channels, rate;
    bool is_float;
    // The writer's, which the reader looks at.
    uint64_t written, kept_from;
    uint32_t is_paused;
    float target;
    // The reader's, which the writer looks at.
    uint64_t taken;
    // The reader's own: the volume on its way.
    float level, step, goal;
    uint32_t steps;
    // The frames that the reader took last; `turn` is odd while they are being written.
    uint32_t turn;
    uint64_t first, end;
    int64_t heard_at;
    // The reader's own: whether it got all that it asked for last, and how much it has missed since it ran dry.
    bool flows, is_dry;
    uint64_t dry_frames;
    // The position of the last gap, what was missed there, and how many there were.
    uint64_t gap_at, gap_frames;
    uint32_t gaps;
} SegueFrameRing;

/// Makes an empty ring of a second of sound, in place of what it held; pause and volume stay. Neither thread may use it
/// meanwhile.
///
/// @param size the bytes of a sample.
/// @return false when there is no memory for it, or no such sound.
bool segue_ring_begin(SegueFrameRing *ring, uint32_t rate, uint32_t channels, uint32_t size, bool is_float);

/// Frees the ring's memory, not the structure.
void segue_ring_end(SegueFrameRing *ring);

// For the writer.

/// How many frames can be added.
uint32_t segue_ring_room(const SegueFrameRing *ring);

/// How many frames wait to be taken.
uint32_t segue_ring_waiting(const SegueFrameRing *ring);

/// Adds frames; those for which there is no room are left out.
void segue_ring_write(SegueFrameRing *ring, const uint8_t *bytes, uint32_t frames);

/// Discards all that waits.
void segue_ring_discard(SegueFrameRing *ring);

/// Has the reader get silence from its next call on, or continues.
void segue_ring_pause(SegueFrameRing *ring, bool is_paused);

/// Sets the factor of samples that are floats, from the reader's next call on.
void segue_ring_set_volume(SegueFrameRing *ring, float factor);

/// The frame that is heard at a moment on the monotonic clock, and when the first of those taken last is heard.
///
/// @return false while nothing was taken.
bool segue_ring_heard(const SegueFrameRing *ring, int64_t now, uint64_t *place, int64_t *heard_at);

/// How many gaps there were since the ring began: sound that came after the reader had run dry, and joined on to what
/// it had taken.
///
/// @param place the position of the last one.
/// @param frames how much silence the reader got there.
uint32_t segue_ring_gaps(const SegueFrameRing *ring, uint64_t *place, uint64_t *frames);

// For the reader.

/// Takes up to `frames` frames at the volume that is set; where there are fewer, silence follows them.
///
/// @param place the position of the first of them.
/// @return how many frames of sound there were.
uint32_t segue_ring_take(SegueFrameRing *ring, uint8_t *bytes, uint32_t frames, uint64_t *place);

/// Says when the first of the frames from `place` to `end`, which were taken last, is heard, in nanoseconds on the
/// monotonic clock.
void segue_ring_tell(SegueFrameRing *ring, uint64_t place, uint64_t end, int64_t heard_at);

// A stream to PipeWire that is fed from a ring of frames; what PipeWire asks for in its own thread is answered there,
// since nothing may hold that thread up.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// The samples that a stream takes.
enum { SEGUE_PIPEWIRE_FLOAT, SEGUE_PIPEWIRE_S16, SEGUE_PIPEWIRE_S24, SEGUE_PIPEWIRE_S32 };

/// How a stream is.
enum { SEGUE_PIPEWIRE_WAITS, SEGUE_PIPEWIRE_RUNS, SEGUE_PIPEWIRE_BROKEN };

typedef struct SeguePipeWire SeguePipeWire;

/// Connects to the server, the usual one when no name is given; NULL and an error number when that fails.
SeguePipeWire *segue_pipewire_new(const char *server, int *error);

/// Disconnects; nothing of it may be used any more.
void segue_pipewire_free(SeguePipeWire *self);

/// Begins a stream of samples in that form, in place of the one before; an error number when that fails.
///
/// The ring holds a second.
int segue_pipewire_begin(
    SeguePipeWire *self, const char *name, const char *target, int samples, uint32_t rate, uint32_t channels
);

/// The state of the stream: the device asks for sound, doesn't yet, or won't any more.
uint32_t segue_pipewire_status(SeguePipeWire *self);

/// True if it is still the server that would have to do something.
bool segue_pipewire_is_connected(SeguePipeWire *self);

/// Why it won't.
const char *segue_pipewire_failure(SeguePipeWire *self);

// Sound, from Segue's thread.

/// How many frames can be added.
uint32_t segue_pipewire_room(SeguePipeWire *self);

/// How many frames wait for the device.
uint32_t segue_pipewire_waiting(SeguePipeWire *self);

/// How many frames were added since the stream began.
uint64_t segue_pipewire_written(SeguePipeWire *self);

/// Adds the whole frames in these bytes; those for which there is no room are left out.
void segue_pipewire_write(SeguePipeWire *self, const uint8_t *bytes, uint64_t count);

/// Discards all that waits.
void segue_pipewire_discard(SeguePipeWire *self);

/// Holds at the next buffer, or continues.
void segue_pipewire_pause(SeguePipeWire *self, bool is_paused);

/// Lets the device rest, or wakes it up.
void segue_pipewire_rest(SeguePipeWire *self, bool rests);

/// Sets the factor of samples that are floats, from the next buffer on.
void segue_pipewire_set_volume(SeguePipeWire *self, float factor);

/// The frame that is heard at a moment on the monotonic clock, and when frames were taken last; false before that.
bool segue_pipewire_heard(SeguePipeWire *self, int64_t now, uint64_t *place, int64_t *taken_at);

/// How many gaps there were since the stream began, the frame before which the last one was, and its frames.
uint32_t segue_pipewire_gaps(SeguePipeWire *self, uint64_t *place, uint64_t *frames);

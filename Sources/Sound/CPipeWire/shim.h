// A stream to PipeWire that is fed from a ring of frames; what PipeWire asks for in its own thread is answered here,
// since nothing may hold that thread up. All of PipeWire's macros and callbacks stay behind these functions.
#pragma once
#include <errno.h>
#include <pipewire/pipewire.h>
#include <spa/param/audio/format-utils.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// The samples that a stream takes.
enum { SEGUE_PIPEWIRE_FLOAT, SEGUE_PIPEWIRE_S16, SEGUE_PIPEWIRE_S24, SEGUE_PIPEWIRE_S32 };

/// How a stream is.
enum { SEGUE_PIPEWIRE_WAITS, SEGUE_PIPEWIRE_RUNS, SEGUE_PIPEWIRE_BROKEN };

typedef struct SeguePipeWire {
    struct pw_thread_loop *loop;
    struct pw_context *context;
    struct pw_core *core;
    struct spa_hook core_listener;
    struct pw_stream *stream;
    struct spa_hook stream_listener;
    // Written in the loop's thread.
    uint32_t status;
    uint32_t is_lost;
    char failure[200];
    // The ring: places count frames since the stream began. Segue's thread writes `written`, `kept_from`, `is_paused`
    // and `target`, PipeWire's thread `taken`.
    uint8_t *ring;
    uint32_t capacity, stride, channels, rate;
    bool is_float;
    uint64_t written, kept_from, taken;
    uint32_t is_paused;
    float target;
    // PipeWire's thread only.
    float level, step;
    uint32_t steps;
    float goal;
    // What PipeWire's thread took last; `turn` is odd while that is being written.
    uint32_t turn;
    uint64_t first, end;
    int64_t heard_at;
} SeguePipeWire;

// What PipeWire calls.

static inline void segue_pipewire_failed(void *data, uint32_t id, int sequence, int result, const char *message) {
    SeguePipeWire *self = (SeguePipeWire *)data;
    (void)sequence;
    if (id != PW_ID_CORE || result != -EPIPE) return;
    strncpy(self->failure, message ? message : "it ended", sizeof self->failure - 1);
    self->is_lost = 1;
    __atomic_store_n(&self->status, SEGUE_PIPEWIRE_BROKEN, __ATOMIC_RELEASE);
}

static inline void segue_pipewire_changed(
    void *data, enum pw_stream_state old, enum pw_stream_state state, const char *error
) {
    SeguePipeWire *self = (SeguePipeWire *)data;
    uint32_t status = SEGUE_PIPEWIRE_WAITS;
    if (state == PW_STREAM_STATE_STREAMING) status = SEGUE_PIPEWIRE_RUNS;
    if (state == PW_STREAM_STATE_ERROR || (state == PW_STREAM_STATE_UNCONNECTED && old > state)) {
        status = SEGUE_PIPEWIRE_BROKEN;
        strncpy(self->failure, error ? error : "the stream ended", sizeof self->failure - 1);
    }
    if (__atomic_load_n(&self->status, __ATOMIC_ACQUIRE) == SEGUE_PIPEWIRE_BROKEN) return;
    __atomic_store_n(&self->status, status, __ATOMIC_RELEASE);
}

/// Scales samples, which takes ten milliseconds to get from one factor to another.
static inline void segue_pipewire_scale(SeguePipeWire *self, float *samples, uint32_t frames) {
    float goal;
    __atomic_load(&self->target, &goal, __ATOMIC_RELAXED);
    if (goal != self->goal) {
        self->goal = goal;
        self->steps = self->rate / 100;
        self->step = (goal - self->level) / (float)self->steps;
    }
    if (self->steps == 0 && self->level == 1) return;
    for (uint32_t frame = 0; frame < frames; frame++) {
        if (self->steps > 0) self->level = --self->steps == 0 ? self->goal : self->level + self->step;
        for (uint32_t channel = 0; channel < self->channels; channel++) {
            samples[frame * self->channels + channel] *= self->level;
        }
    }
}

/// Tells Segue's thread which frames are taken now and when the first of them is heard.
static inline void segue_pipewire_tell(SeguePipeWire *self, uint64_t first, uint64_t end) {
    struct pw_time time;
    memset(&time, 0, sizeof time);
    int64_t heard_at = 0;
    if (pw_stream_get_time_n(self->stream, &time, sizeof time) >= 0 && time.now > 0) {
        heard_at = time.now + (int64_t)time.buffered * SPA_NSEC_PER_SEC / self->rate;
        if (time.rate.denom > 0) heard_at += time.delay * SPA_NSEC_PER_SEC * time.rate.num / time.rate.denom;
    } else {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        heard_at = SPA_TIMESPEC_TO_NSEC(&now);
    }
    __atomic_add_fetch(&self->turn, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&self->first, first, __ATOMIC_SEQ_CST);
    __atomic_store_n(&self->end, end, __ATOMIC_SEQ_CST);
    __atomic_store_n(&self->heard_at, heard_at, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&self->turn, 1, __ATOMIC_SEQ_CST);
}

/// Fills PipeWire's next buffer; where there is nothing to play it is silence. In PipeWire's thread.
static inline void segue_pipewire_process(void *data) {
    SeguePipeWire *self = (SeguePipeWire *)data;
    struct pw_buffer *buffer = pw_stream_dequeue_buffer(self->stream);
    if (!buffer) return;
    struct spa_data *room = &buffer->buffer->datas[0];
    uint8_t *bytes = (uint8_t *)room->data;
    uint32_t frames = bytes ? room->maxsize / self->stride : 0, asked = buffer->requested ? buffer->requested : 1024;
    if (frames > asked) frames = asked;
    uint64_t place = self->taken, kept_from = __atomic_load_n(&self->kept_from, __ATOMIC_ACQUIRE);
    if (kept_from > place) {
        // Nothing goes on here, so the volume need not change smoothly.
        place = kept_from;
        __atomic_load(&self->target, &self->level, __ATOMIC_RELAXED);
        self->goal = self->level;
        self->steps = 0;
    }
    uint64_t there = __atomic_load_n(&self->written, __ATOMIC_ACQUIRE) - place;
    uint32_t count = there < frames ? (uint32_t)there : frames;
    if (__atomic_load_n(&self->is_paused, __ATOMIC_ACQUIRE)) count = 0;
    if (count > 0) {
        uint32_t begin = (uint32_t)(place % self->capacity), whole = self->capacity - begin;
        uint32_t head = count < whole ? count : whole;
        memcpy(bytes, self->ring + (size_t)begin * self->stride, (size_t)head * self->stride);
        memcpy(bytes + (size_t)head * self->stride, self->ring, (size_t)(count - head) * self->stride);
        if (self->is_float) segue_pipewire_scale(self, (float *)(void *)bytes, count);
        segue_pipewire_tell(self, place, place + count);
    }
    memset(bytes + (size_t)count * self->stride, 0, (size_t)(frames - count) * self->stride);
    __atomic_store_n(&self->taken, place + count, __ATOMIC_RELEASE);
    room->chunk->offset = 0;
    room->chunk->stride = (int32_t)self->stride;
    room->chunk->size = frames * self->stride;
    buffer->size = frames;
    pw_stream_queue_buffer(self->stream, buffer);
}

// The connection.

/// Disconnects; nothing of it may be used any more.
static inline void segue_pipewire_free(SeguePipeWire *self) {
    if (self->loop) pw_thread_loop_stop(self->loop);
    if (self->stream) pw_stream_destroy(self->stream);
    if (self->core) {
        spa_hook_remove(&self->core_listener);
        pw_core_disconnect(self->core);
    }
    if (self->context) pw_context_destroy(self->context);
    if (self->loop) pw_thread_loop_destroy(self->loop);
    free(self->ring);
    free(self);
}

/// Connects to the server, the usual one when no name is given; NULL and an error number when that fails.
static inline SeguePipeWire *segue_pipewire_new(const char *server, int *error) {
    static const struct pw_core_events events = {.version = PW_VERSION_CORE_EVENTS, .error = segue_pipewire_failed};
    static int is_ready = 0;
    if (!__atomic_exchange_n(&is_ready, 1, __ATOMIC_ACQ_REL)) {
        pw_init(NULL, NULL);
        // What goes wrong is told by the functions; the log is not PipeWire's to write to.
        if (!getenv("PIPEWIRE_DEBUG")) pw_log_set_level(SPA_LOG_LEVEL_NONE);
    }
    SeguePipeWire *self = (SeguePipeWire *)calloc(1, sizeof *self);
    if (!self) {
        *error = ENOMEM;
        return NULL;
    }
    self->loop = pw_thread_loop_new("pipewire", NULL);
    if (self->loop) {
        // Until PipeWire 1.4 only that configuration has a thread in real time.
        struct pw_loop *loop = pw_thread_loop_get_loop(self->loop);
        struct pw_properties *properties = pw_properties_new(PW_KEY_CONFIG_NAME, "client-rt.conf", NULL);
        self->context = pw_context_new(loop, properties, 0);
        if (!self->context) self->context = pw_context_new(loop, NULL, 0);
    }
    if (!self->context || pw_thread_loop_start(self->loop) < 0) {
        *error = errno;
        segue_pipewire_free(self);
        return NULL;
    }
    pw_thread_loop_lock(self->loop);
    struct pw_properties *properties = server ? pw_properties_new(PW_KEY_REMOTE_NAME, server, NULL) : NULL;
    self->core = pw_context_connect(self->context, properties, 0);
    *error = errno;
    if (self->core) pw_core_add_listener(self->core, &self->core_listener, &events, self);
    pw_thread_loop_unlock(self->loop);
    if (self->core) return self;
    segue_pipewire_free(self);
    return NULL;
}

/// The places of up to eight channels, in the order of WAV and FLAC.
static inline void segue_pipewire_channels(struct spa_audio_info_raw *info) {
    static const uint32_t places[8][8] = {
        {SPA_AUDIO_CHANNEL_MONO},
        {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR},
        {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR, SPA_AUDIO_CHANNEL_FC},
        {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR, SPA_AUDIO_CHANNEL_RL, SPA_AUDIO_CHANNEL_RR},
        {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR, SPA_AUDIO_CHANNEL_FC, SPA_AUDIO_CHANNEL_RL,
         SPA_AUDIO_CHANNEL_RR},
        {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR, SPA_AUDIO_CHANNEL_FC, SPA_AUDIO_CHANNEL_LFE,
         SPA_AUDIO_CHANNEL_RL, SPA_AUDIO_CHANNEL_RR},
        {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR, SPA_AUDIO_CHANNEL_FC, SPA_AUDIO_CHANNEL_LFE,
         SPA_AUDIO_CHANNEL_RC, SPA_AUDIO_CHANNEL_SL, SPA_AUDIO_CHANNEL_SR},
        {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR, SPA_AUDIO_CHANNEL_FC, SPA_AUDIO_CHANNEL_LFE,
         SPA_AUDIO_CHANNEL_RL, SPA_AUDIO_CHANNEL_RR, SPA_AUDIO_CHANNEL_SL, SPA_AUDIO_CHANNEL_SR},
    };
    if (info->channels >= 1 && info->channels <= 8) {
        memcpy(info->position, places[info->channels - 1], info->channels * sizeof info->position[0]);
    } else {
        info->flags |= SPA_AUDIO_FLAG_UNPOSITIONED;
    }
}

/// Begins a stream of samples in that form, in place of the one before; an error number when that fails.
///
/// The ring holds a second.
static inline int segue_pipewire_begin(
    SeguePipeWire *self, const char *name, const char *target, int samples, uint32_t rate, uint32_t channels
) {
    static const enum spa_audio_format formats[] = {
        SPA_AUDIO_FORMAT_F32_LE, SPA_AUDIO_FORMAT_S16_LE, SPA_AUDIO_FORMAT_S24_LE, SPA_AUDIO_FORMAT_S32_LE};
    static const uint32_t sizes[] = {4, 2, 3, 4};
    static const struct pw_stream_events events = {
        .version = PW_VERSION_STREAM_EVENTS, .state_changed = segue_pipewire_changed,
        .process = segue_pipewire_process};
    pw_thread_loop_lock(self->loop);
    if (self->stream) pw_stream_destroy(self->stream);
    self->stream = NULL;
    free(self->ring);
    (*self).stride = sizes[samples] * channels;
    self->capacity = self->rate = rate;
    self->channels = channels;
    self->is_float = samples == SEGUE_PIPEWIRE_FLOAT;
    self->ring = (uint8_t *)calloc(self->capacity, self->stride);
    self->written = self->kept_from = self->taken = self->first = self->end = 0;
    self->heard_at = 0;
    self->turn = self->steps = 0;
    self->level = self->goal = self->target;
    if (__atomic_load_n(&self->status, __ATOMIC_ACQUIRE) != SEGUE_PIPEWIRE_BROKEN) self->status = SEGUE_PIPEWIRE_WAITS;
    struct pw_properties *properties = pw_properties_new(
        PW_KEY_MEDIA_TYPE, "Audio", PW_KEY_MEDIA_CATEGORY, "Playback", PW_KEY_MEDIA_ROLE, "Music",
        PW_KEY_APP_NAME, "Segue", PW_KEY_NODE_NAME, "Segue", PW_KEY_NODE_DESCRIPTION, name, NULL);
    // The device follows the songs' rate where it is allowed to, and asks often enough.
    pw_properties_setf(properties, PW_KEY_NODE_RATE, "1/%u", rate);
    pw_properties_setf(properties, PW_KEY_NODE_LATENCY, "%u/%u", rate > 96000 ? rate / 48 : 1024, rate);
    if (target) pw_properties_set(properties, PW_KEY_TARGET_OBJECT, target);
    self->stream = self->ring ? pw_stream_new(self->core, name, properties) : NULL;
    int result = self->stream ? 0 : -errno;
    if (self->stream) {
        pw_stream_add_listener(self->stream, &self->stream_listener, &events, self);
        uint8_t memory[1024];
        struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof memory);
        struct spa_audio_info_raw info = SPA_AUDIO_INFO_RAW_INIT(
                .format = formats[samples], .rate = rate, .channels = channels);
        segue_pipewire_channels(&info);
        const struct spa_pod *parameters[] = {spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &info)};
        result = pw_stream_connect(
            self->stream, PW_DIRECTION_OUTPUT, PW_ID_ANY,
            (enum pw_stream_flags)(
                PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_RT_PROCESS),
            parameters, 1);
    }
    pw_thread_loop_unlock(self->loop);
    return result < 0 ? -result : 0;
}

/// Whether the device asks for sound, doesn't yet, or won't any more.
static inline uint32_t segue_pipewire_status(SeguePipeWire *self) {
    return __atomic_load_n(&self->status, __ATOMIC_ACQUIRE);
}

/// Whether it is still the server that would have to do something.
static inline bool segue_pipewire_is_connected(SeguePipeWire *self) { return !self->is_lost; }

/// Why it won't.
static inline const char *segue_pipewire_failure(SeguePipeWire *self) { return self->failure; }

// Sound, from Segue's thread.

/// How many frames can be added.
static inline uint32_t segue_pipewire_room(SeguePipeWire *self) {
    return self->capacity - (uint32_t)(self->written - __atomic_load_n(&self->taken, __ATOMIC_ACQUIRE));
}

/// How many frames wait for the device.
static inline uint32_t segue_pipewire_waiting(SeguePipeWire *self) {
    uint64_t taken = __atomic_load_n(&self->taken, __ATOMIC_ACQUIRE);
    return (uint32_t)(self->written - (taken > self->kept_from ? taken : self->kept_from));
}

/// How many frames were added since the stream began.
static inline uint64_t segue_pipewire_written(SeguePipeWire *self) { return self->written; }

/// Adds frames; those for which there is no room are left out.
static inline void segue_pipewire_write(SeguePipeWire *self, const uint8_t *bytes, uint32_t frames) {
    uint32_t room = segue_pipewire_room(self);
    if (frames > room) frames = room;
    uint32_t begin = (uint32_t)(self->written % self->capacity), whole = self->capacity - begin;
    uint32_t head = frames < whole ? frames : whole;
    memcpy(self->ring + (size_t)begin * self->stride, bytes, (size_t)head * self->stride);
    memcpy(self->ring, bytes + (size_t)head * self->stride, (size_t)(frames - head) * self->stride);
    __atomic_store_n(&self->written, self->written + frames, __ATOMIC_RELEASE);
}

/// Drops all that waits.
static inline void segue_pipewire_drop(SeguePipeWire *self) {
    __atomic_store_n(&self->kept_from, self->written, __ATOMIC_RELEASE);
}

/// Holds at the next buffer, or goes on.
static inline void segue_pipewire_pause(SeguePipeWire *self, bool is_paused) {
    __atomic_store_n(&self->is_paused, is_paused, __ATOMIC_RELEASE);
}

/// Lets the device rest, or wakes it up.
static inline void segue_pipewire_rest(SeguePipeWire *self, bool rests) {
    pw_thread_loop_lock(self->loop);
    if (self->stream) pw_stream_set_active(self->stream, !rests);
    pw_thread_loop_unlock(self->loop);
}

/// Sets the factor of samples that are floats, from the next buffer on.
static inline void segue_pipewire_set_volume(SeguePipeWire *self, float factor) {
    __atomic_store(&self->target, &factor, __ATOMIC_RELAXED);
}

/// The frame that is heard at a moment on the monotonic clock, and when frames were taken last; false before that.
static inline bool segue_pipewire_heard(SeguePipeWire *self, int64_t now, uint64_t *place, int64_t *taken_at) {
    uint64_t first, end;
    int64_t heard_at;
    for (;;) {
        uint32_t turn = __atomic_load_n(&self->turn, __ATOMIC_SEQ_CST);
        first = __atomic_load_n(&self->first, __ATOMIC_SEQ_CST);
        end = __atomic_load_n(&self->end, __ATOMIC_SEQ_CST);
        heard_at = __atomic_load_n(&self->heard_at, __ATOMIC_SEQ_CST);
        if (turn == 0) return false;
        if (turn % 2 == 0 && turn == __atomic_load_n(&self->turn, __ATOMIC_SEQ_CST)) break;
    }
    int64_t frames = (now - heard_at) / 1000 * self->rate / 1000000, found = (int64_t)first + frames;
    *place = found < 0 ? 0 : found > (int64_t)end ? end : (uint64_t)found;
    *taken_at = heard_at;
    return true;
}

#include "pipewire_stream.h"

#include <errno.h>
#include <pipewire/pipewire.h>
#include <spa/param/audio/format-utils.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "frame_ring.h"

struct SeguePipeWire {
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
    // Segue's thread writes, PipeWire's takes.
    SegueFrameRing ring;
};

// Callbacks of PipeWire.

static void failed(void *data, uint32_t id, int sequence, int result, const char *message) {
    SeguePipeWire *self = data;
    (void)sequence;
    if (id != PW_ID_CORE || result != -EPIPE) return;
    strncpy(self->failure, message ? message : "it ended", sizeof self->failure - 1);
    __atomic_store_n(&self->is_lost, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&self->status, SEGUE_PIPEWIRE_BROKEN, __ATOMIC_RELEASE);
}

static void changed(
    void *data, enum pw_stream_state old, enum pw_stream_state state, const char *error
) {
    SeguePipeWire *self = data;
    uint32_t status = SEGUE_PIPEWIRE_WAITS;
    if (state == PW_STREAM_STATE_STREAMING) status = SEGUE_PIPEWIRE_RUNS;
    if (state == PW_STREAM_STATE_ERROR || (state == PW_STREAM_STATE_UNCONNECTED && old > state)) {
        status = SEGUE_PIPEWIRE_BROKEN;
        strncpy(self->failure, error ? error : "the stream ended", sizeof self->failure - 1);
    }
    if (__atomic_load_n(&self->status, __ATOMIC_ACQUIRE) == SEGUE_PIPEWIRE_BROKEN) return;
    __atomic_store_n(&self->status, status, __ATOMIC_RELEASE);
}

/// When what is taken now is heard, in nanoseconds on the monotonic clock.
static int64_t moment_of_hearing(SeguePipeWire *self) {
    struct pw_time time;
    memset(&time, 0, sizeof time);
    if (pw_stream_get_time_n(self->stream, &time, sizeof time) >= 0 && time.now > 0) {
        int64_t moment = time.now + (int64_t)time.buffered * SPA_NSEC_PER_SEC / self->ring.rate;
        if (time.rate.denom > 0) moment += time.delay * SPA_NSEC_PER_SEC * time.rate.num / time.rate.denom;
        return moment;
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return SPA_TIMESPEC_TO_NSEC(&now);
}

/// Fills PipeWire's next buffer; where there is nothing to play it is silence. In PipeWire's thread.
static void process(void *data) {
    SeguePipeWire *self = data;
    struct pw_buffer *buffer = pw_stream_dequeue_buffer(self->stream);
    if (!buffer) return;
    struct spa_data *room = &buffer->buffer->datas[0];
    uint64_t frames = room->data ? room->maxsize / self->ring.stride : 0;
    uint64_t asked = buffer->requested ? buffer->requested : 1024;
    if (frames > asked) frames = asked;
    uint64_t place = 0;
    uint32_t count = segue_ring_take(&self->ring, room->data, (uint32_t)frames, &place);
    if (count > 0) segue_ring_tell(&self->ring, place, place + count, moment_of_hearing(self));
    room->chunk->offset = 0;
    room->chunk->stride = (int32_t)self->ring.stride;
    room->chunk->size = (uint32_t)frames * self->ring.stride;
    buffer->size = frames;
    pw_stream_queue_buffer(self->stream, buffer);
}

// The connection.

void segue_pipewire_free(SeguePipeWire *self) {
    if (self->loop) pw_thread_loop_stop(self->loop);
    if (self->stream) pw_stream_destroy(self->stream);
    if (self->core) {
        spa_hook_remove(&self->core_listener);
        pw_core_disconnect(self->core);
    }
    if (self->context) pw_context_destroy(self->context);
    if (self->loop) pw_thread_loop_destroy(self->loop);
    segue_ring_end(&self->ring);
    free(self);
}

SeguePipeWire *segue_pipewire_new(const char *server, int *error) {
    static const struct pw_core_events events = {.version = PW_VERSION_CORE_EVENTS, .error = failed};
    static int is_ready = 0;
    if (!__atomic_exchange_n(&is_ready, 1, __ATOMIC_ACQ_REL)) {
        pw_init(NULL, NULL);
        // Errors are told by the functions; the log is not PipeWire's to write to.
        if (!getenv("PIPEWIRE_DEBUG")) pw_log_set_level(SPA_LOG_LEVEL_NONE);
    }
    SeguePipeWire *self = calloc(1, sizeof *self);
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

/// The positions of up to eight channels, in the order of WAV and FLAC.
static void set_places(struct spa_audio_info_raw *info) {
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

int segue_pipewire_begin(
    SeguePipeWire *self, const char *name, const char *target, int samples, uint32_t rate, uint32_t channels
) {
    static const enum spa_audio_format formats[] = {
        SPA_AUDIO_FORMAT_F32_LE, SPA_AUDIO_FORMAT_S16_LE, SPA_AUDIO_FORMAT_S24_LE, SPA_AUDIO_FORMAT_S32_LE};
    static const uint32_t sizes[] = {4, 2, 3, 4};
    static const struct pw_stream_events events = {
        .version = PW_VERSION_STREAM_EVENTS, .state_changed = changed,
        .process = process};
    pw_thread_loop_lock(self->loop);
    if (self->stream) pw_stream_destroy(self->stream);
    self->stream = NULL;
    bool is_float = samples == SEGUE_PIPEWIRE_FLOAT;
    bool has_ring = segue_ring_begin(&self->ring, rate, channels, sizes[samples], is_float);
    if (__atomic_load_n(&self->status, __ATOMIC_ACQUIRE) != SEGUE_PIPEWIRE_BROKEN) self->status = SEGUE_PIPEWIRE_WAITS;
    struct pw_properties *properties = pw_properties_new(
        PW_KEY_MEDIA_TYPE, "Audio", PW_KEY_MEDIA_CATEGORY, "Playback", PW_KEY_MEDIA_ROLE, "Music",
        PW_KEY_APP_NAME, "Segue", PW_KEY_NODE_NAME, "Segue", PW_KEY_NODE_DESCRIPTION, name, NULL);
    // The device follows the songs' rate where it is allowed to, and asks often enough.
    pw_properties_setf(properties, PW_KEY_NODE_RATE, "1/%u", rate);
    pw_properties_setf(properties, PW_KEY_NODE_LATENCY, "%u/%u", rate > 96000 ? rate / 48 : 1024, rate);
    if (target) pw_properties_set(properties, PW_KEY_TARGET_OBJECT, target);
    self->stream = has_ring ? pw_stream_new(self->core, name, properties) : NULL;
    int result = self->stream ? 0 : has_ring ? -errno : -ENOMEM;
    if (self->stream) {
        pw_stream_add_listener(self->stream, &self->stream_listener, &events, self);
        uint8_t memory[1024];
        struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof memory);
        struct spa_audio_info_raw info = SPA_AUDIO_INFO_RAW_INIT(
                .format = formats[samples], .rate = rate, .channels = channels);
        set_places(&info);
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

uint32_t segue_pipewire_status(SeguePipeWire *self) { return __atomic_load_n(&self->status, __ATOMIC_ACQUIRE); }

bool segue_pipewire_is_connected(SeguePipeWire *self) { return !__atomic_load_n(&self->is_lost, __ATOMIC_ACQUIRE); }

const char *segue_pipewire_failure(SeguePipeWire *self) { return self->failure; }

// Sound, from Segue's thread.

uint32_t segue_pipewire_room(SeguePipeWire *self) { return segue_ring_room(&self->ring); }

uint32_t segue_pipewire_waiting(SeguePipeWire *self) { return segue_ring_waiting(&self->ring); }

uint64_t segue_pipewire_written(SeguePipeWire *self) { return self->ring.written; }

void segue_pipewire_write(SeguePipeWire *self, const uint8_t *bytes, uint64_t count) {
    uint64_t frames = self->ring.stride ? count / self->ring.stride : 0;
    segue_ring_write(&self->ring, bytes, frames > UINT32_MAX ? UINT32_MAX : (uint32_t)frames);
}

void segue_pipewire_discard(SeguePipeWire *self) { segue_ring_discard(&self->ring); }

void segue_pipewire_pause(SeguePipeWire *self, bool is_paused) { segue_ring_pause(&self->ring, is_paused); }

void segue_pipewire_rest(SeguePipeWire *self, bool rests) {
    pw_thread_loop_lock(self->loop);
    if (self->stream) pw_stream_set_active(self->stream, !rests);
    pw_thread_loop_unlock(self->loop);
}

void segue_pipewire_set_volume(SeguePipeWire *self, float factor) { segue_ring_set_volume(&self->ring, factor); }

bool segue_pipewire_heard(SeguePipeWire *self, int64_t now, uint64_t *place, int64_t *taken_at) {
    return segue_ring_heard(&self->ring, now, place, taken_at);
}

uint32_t segue_pipewire_gaps(SeguePipeWire *self, uint64_t *place, uint64_t *frames) {
    return segue_ring_gaps(&self->ring, place, frames);
}

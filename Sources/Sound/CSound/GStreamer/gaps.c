#include "gaps.h"

#include <gst/audio/audio.h>
#include <gst/audio/gstaudiosink.h>

struct SegueGapWatch {
    // The streaming thread's: where the sound before ends, and how much has come without a break.
    GstClockTime end, joined;
    gint joined_turn;
    // The writing thread's: how much the device has room for and how much it has, in nanoseconds, whether it has begun
    // to play that, when it was given something last, and the turn in which that was.
    gint64 room, level, given_at;
    gboolean has_begun;
    // When the device last said that it had sound to play.
    gint64 alive_at;
    gint seen_turn;
    // Shared.
    guint64 excused;
    gint turn;
    gint64 missing;
    /// The writing is watched; and the sample that was missing when a piece was written last without all of
    /// its sound.
    gint is_writing_watched;
    guint64 missed;
};

static void tell(SegueGapWatch *self, gint64 missing) {
    __atomic_add_fetch(&self->missing, missing, __ATOMIC_RELEASE);
}

// Sound that comes too late for the sink, which leaves it out.

static const GstClockTime tolerance = GST_MSECOND;
/// Sound servers correct their clocks, most of all in the beginning and after a hold.
static const GstClockTime unsteady = GST_SECOND, correction = 10 * GST_MSECOND;

/// The sample behind the piece of the ring that is being played.
static gint64 piece_end(GstAudioRingBuffer *ring) {
    return (gint64)(g_atomic_int_get(&ring->segdone) - ring->segbase + 1) * ring->samples_per_seg;
}

/// How much of what comes next is too late for the piece of the ring that is being played.
static gint64 missing_in_ring(SegueGapWatch *self, GstAudioBaseSink *sink, GstAudioRingBuffer *ring) {
    gint rate = GST_AUDIO_INFO_RATE(&ring->spec.info);
    guint64 next = sink->next_sample;
    if (next == GST_BUFFER_OFFSET_NONE || rate <= 0) return 0;
    // A thread that is watched may still wait with that piece; of the others some begin before a whole one is there.
    gboolean is_lost = g_atomic_int_get(&self->is_writing_watched)
        ? __atomic_load_n(&self->missed, __ATOMIC_ACQUIRE) == next : self->joined >= unsteady;
    if (!is_lost) return 0;
    gint64 late = piece_end(ring) - (gint64)next;
    return late > 0 ? late * GST_SECOND / rate : 0;
}

/// How much too late something is by the device's clock.
static gint64 missing_by_clock(SegueGapWatch *self, GstElement *sink, GstClockTime stamp) {
    if (self->joined < unsteady) return 0;
    GstClockTime now = gst_element_get_current_running_time(sink);
    return GST_CLOCK_TIME_IS_VALID(now) && now > stamp + correction ? (gint64)(now - stamp) : 0;
}

static gboolean is_near(GstClockTime one, GstClockTime other) {
    return GST_CLOCK_TIME_IS_VALID(one) && GST_CLOCK_TIME_IS_VALID(other)
        && (one > other ? one - other : other - one) <= tolerance;
}

static GstPadProbeReturn arrives(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    SegueGapWatch *self = data;
    GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER(info);
    GstClockTime stamp = GST_BUFFER_PTS(buffer), length = GST_BUFFER_DURATION(buffer);
    if (!GST_CLOCK_TIME_IS_VALID(stamp) || !GST_CLOCK_TIME_IS_VALID(length)) return GST_PAD_PROBE_OK;
    gboolean joins = is_near(stamp, self->end)
        && !is_near(stamp, __atomic_load_n(&self->excused, __ATOMIC_ACQUIRE));
    gint turn = g_atomic_int_get(&self->turn);
    self->end = stamp + length;
    self->joined = joins && turn == self->joined_turn ? self->joined + length : 0;
    self->joined_turn = turn;
    GstElement *sink = GST_ELEMENT(GST_OBJECT_PARENT(pad));
    GstAudioRingBuffer *ring = GST_AUDIO_BASE_SINK(sink)->ringbuffer;
    if (!joins || !ring || g_atomic_int_get(&ring->state) != GST_AUDIO_RING_BUFFER_STATE_STARTED) {
        return GST_PAD_PROBE_OK;
    }
    gint64 missing = missing_in_ring(self, GST_AUDIO_BASE_SINK(sink), ring);
    if (missing == 0) missing = missing_by_clock(self, sink, stamp);
    if (missing > 0) tell(self, missing);
    return GST_PAD_PROBE_OK;
}

// A thread that writes to the device too late: nothing is left out, but the device has stood still.

/// Shorter ones are none: what a device has is reckoned by another clock than its own.
static const gint64 shortest = 3 * GST_MSECOND;

/// A device that plays has something left behind every piece that it gets.
static const gint64 longest_silence = GST_SECOND;

static GQuark watch_quark(void) { return g_quark_from_static_string("segue-gap-watch"); }

static gint64 monotonic(void) { return g_get_monotonic_time() * 1000; }

/// How many samples the piece lacks that is to be written now.
static gint64 lacking(GstAudioBaseSink *sink) {
    guint64 next = __atomic_load_n(&sink->next_sample, __ATOMIC_ACQUIRE);
    gint64 lacking = next == GST_BUFFER_OFFSET_NONE ? 0 : piece_end(sink->ringbuffer) - (gint64)next;
    return CLAMP(lacking, 0, sink->ringbuffer->samples_per_seg);
}

/// Starts to count again where the device does.
static void follow_turn(SegueGapWatch *self) {
    gint turn = g_atomic_int_get(&self->turn);
    if (turn == self->seen_turn) return;
    self->seen_turn = turn;
    self->level = 0;
    self->has_begun = FALSE;
    self->given_at = self->alive_at = monotonic();
}

/// Waits with a piece that has not got all of its sound yet, as long as the device has another one to play, or has room
/// before it begins: the ring would give silence for it at once, and what comes then would be too late.
static void wait_for_sound(SegueGapWatch *self, GstAudioBaseSink *sink) {
    GstAudioRingBuffer *ring = sink->ringbuffer;
    gint rate = GST_AUDIO_INFO_RATE(&ring->spec.info);
    if (rate <= 0) return;
    gint64 piece = (gint64)ring->samples_per_seg * GST_SECOND / rate;
    // One that has nothing behind a piece is gone, as ALSA's plug-in for PulseAudio is when its server has ended: the
    // thread runs in circles then, which is noticed.
    if (monotonic() - self->alive_at > longest_silence) return;
    while (lacking(sink) > 0) {
        if (g_atomic_int_get(&self->turn) != self->seen_turn) return;
        if (g_atomic_int_get(&ring->state) != GST_AUDIO_RING_BUFFER_STATE_STARTED) return;
        gint64 had = self->has_begun ? self->level - piece : self->room;
        gint64 rest = had - (monotonic() - self->given_at);
        if (rest <= 0) return;
        g_usleep((gulong)MIN(rest / 1000 + 1, 2000));
    }
}

static void before_writing(SegueGapWatch *self, GstAudioBaseSink *sink) {
    gint64 now = monotonic();
    if (self->has_begun) self->level -= now - self->given_at;
    self->given_at = now;
    if (self->level >= 0) return;
    if (self->level < -shortest && lacking(sink) < sink->ringbuffer->samples_per_seg) tell(self, -self->level);
    // It begins again when it is full.
    self->level = 0;
    self->has_begun = FALSE;
}

static void after_writing(SegueGapWatch *self, GstAudioRingBuffer *ring, guint bytes) {
    gint64 rate = (gint64)GST_AUDIO_INFO_RATE(&ring->spec.info) * GST_AUDIO_INFO_BPF(&ring->spec.info);
    if (rate <= 0) return;
    gint64 now = monotonic();
    // One that takes more than it has room for has begun to play, however long that took it.
    gboolean was_full = self->level >= self->room;
    if (self->has_begun) self->level -= now - self->given_at;
    self->given_at = now;
    self->level += (gint64)bytes * GST_SECOND / rate;
    if (self->level < self->room) return;
    self->level = self->room;
    if (was_full) self->has_begun = TRUE;
}

typedef struct {
    gboolean (*prepare)(GstAudioSink *sink, GstAudioRingBufferSpec *spec);
    gint (*write)(GstAudioSink *sink, gpointer data, guint length);
} WatchedClass;
static WatchedClass alsa;

/// Sets the device up, and leaves a ring before it that has a third of its pieces. By itself the ring is as long as the
/// device's buffer; but what lies there is of no use to a device that gets it late.
static gboolean prepare_watched(GstAudioSink *sink, GstAudioRingBufferSpec *spec) {
    if (!alsa.prepare(sink, spec)) return FALSE;
    SegueGapWatch *watch = g_object_get_qdata(G_OBJECT(sink), watch_quark());
    gint64 rate = (gint64)GST_AUDIO_INFO_RATE(&spec->info) * GST_AUDIO_INFO_BPF(&spec->info);
    if (watch && rate > 0) watch->room = (gint64)spec->segsize * spec->segtotal * GST_SECOND / rate;
    spec->segtotal = MAX(2, spec->segtotal / 3);
    return TRUE;
}

static gint write_watched(GstAudioSink *sink, gpointer data, guint length) {
    SegueGapWatch *watch = g_object_get_qdata(G_OBJECT(sink), watch_quark());
    if (watch) {
        g_atomic_int_set(&watch->is_writing_watched, TRUE);
        follow_turn(watch);
        wait_for_sound(watch, GST_AUDIO_BASE_SINK(sink));
        if (lacking(GST_AUDIO_BASE_SINK(sink)) > 0) {
            __atomic_store_n(&watch->missed, GST_AUDIO_BASE_SINK(sink)->next_sample, __ATOMIC_RELEASE);
        }
        before_writing(watch, GST_AUDIO_BASE_SINK(sink));
    }
    gint written = alsa.write(sink, data, length);
    if (watch && GST_AUDIO_SINK_GET_CLASS(sink)->delay(sink) > 0) watch->alive_at = monotonic();
    if (watch && written > 0) after_writing(watch, GST_AUDIO_BASE_SINK(sink)->ringbuffer, (guint)written);
    return written;
}

static void class_init(gpointer class, gpointer data) {
    (void)data;
    GstAudioSinkClass *sink_class = GST_AUDIO_SINK_CLASS(class);
    alsa.prepare = sink_class->prepare;
    alsa.write = sink_class->write;
    sink_class->prepare = prepare_watched;
    sink_class->write = write_watched;
}

gboolean segue_gaps_register_alsa(const char *name) {
    GstElementFactory *factory = gst_element_factory_find("alsasink");
    if (!factory) return FALSE;
    GstPluginFeature *loaded = gst_plugin_feature_load(GST_PLUGIN_FEATURE(factory));
    gst_object_unref(factory);
    if (!loaded) return FALSE;
    GType parent = gst_element_factory_get_element_type(GST_ELEMENT_FACTORY(loaded));
    gst_object_unref(loaded);
    if (!g_type_is_a(parent, GST_TYPE_AUDIO_SINK)) return FALSE;
    GTypeQuery sizes;
    g_type_query(parent, &sizes);
    GTypeInfo info = {
        .class_size = (guint16)sizes.class_size, .class_init = class_init,
        .instance_size = (guint16)sizes.instance_size,
    };
    GType type = g_type_register_static(parent, "SegueALSASink", &info, (GTypeFlags)0);
    return type != 0 && gst_element_register(NULL, name, GST_RANK_NONE, type);
}

// The watch.

SegueGapWatch *segue_gaps_watch(GstElement *sink) {
    SegueGapWatch *watch = g_new0(SegueGapWatch, 1);
    watch->end = watch->excused = GST_CLOCK_TIME_NONE;
    watch->missed = GST_BUFFER_OFFSET_NONE;
    g_object_set_qdata_full(G_OBJECT(sink), watch_quark(), watch, g_free);
    GstPad *pad = gst_element_get_static_pad(sink, "sink");
    if (!pad) return watch;
    if (GST_IS_AUDIO_BASE_SINK(sink)) gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, arrives, watch, NULL);
    gst_object_unref(pad);
    return watch;
}

void segue_gaps_excuse(SegueGapWatch *watch, GstClockTime stamp) {
    __atomic_store_n(&watch->excused, stamp, __ATOMIC_RELEASE);
}

void segue_gaps_interrupt(SegueGapWatch *watch) { g_atomic_int_inc(&watch->turn); }

gint64 segue_gaps_take(SegueGapWatch *watch) { return __atomic_exchange_n(&watch->missing, 0, __ATOMIC_ACQ_REL); }

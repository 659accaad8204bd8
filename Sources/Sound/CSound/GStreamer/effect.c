#include "effect.h"

#include <gst/audio/audio.h>

/// A piece of sound is far shorter; an element that gives more has gone wrong.
static const gsize most_output = 64 << 20;

struct SegueEffect {
    GstElement *element;
    /// The ends of ours, and the bus that hears of errors.
    GstPad *source, *sink;
    GstBus *bus;
    gint rate, channels;
    guint64 frames;
    /// The thread that it belongs to; other threads are none of ours.
    GThread *thread;
    GByteArray *output;
    char *error;
};

static GstCaps *sound_caps(const char *format, gint rate, gint channels, guint64 mask) {
    GstCaps *caps = gst_caps_new_simple(
        "audio/x-raw", "rate", G_TYPE_INT, rate, "channels", G_TYPE_INT, channels, "layout", G_TYPE_STRING,
        "interleaved", NULL
    );
    if (format) gst_caps_set_simple(caps, "format", G_TYPE_STRING, format, NULL);
    if (channels > 1 && mask) gst_caps_set_simple(caps, "channel-mask", GST_TYPE_BITMASK, mask, NULL);
    return caps;
}

/// True if both ends of an element may have such sound.
static gboolean takes(GstElement *element, GstCaps *caps) {
    gboolean result = TRUE;
    const char *const names[] = {"sink", "src"};
    for (int index = 0; index < 2; index++) {
        GstPad *pad = gst_element_get_static_pad(element, names[index]);
        if (!pad) return FALSE;
        GstCaps *own = gst_pad_get_pad_template_caps(pad);
        result = result && gst_caps_can_intersect(own, caps);
        gst_caps_unref(own);
        gst_object_unref(pad);
    }
    return result;
}

SegueFeed segue_effect_feed(GstElement *element, gint rate, gint channels, guint64 mask) {
    struct {
        const char *format;
        gint channels;
        SegueFeed feed;
    } ways[] = {
        {GST_AUDIO_NE(F32), channels, SEGUE_FEED_DIRECT},
        {NULL, channels, SEGUE_FEED_CONVERTED},
        {GST_AUDIO_NE(F32), 1, SEGUE_FEED_CHANNELS},
    };
    for (gsize index = 0; index < G_N_ELEMENTS(ways); index++) {
        GstCaps *caps = sound_caps(ways[index].format, rate, ways[index].channels, mask);
        gboolean suits = takes(element, caps);
        gst_caps_unref(caps);
        if (suits) return ways[index].feed;
    }
    return SEGUE_FEED_REFUSED;
}

static void fail(SegueEffect *effect, const char *reason) {
    if (!effect->error) effect->error = g_strdup(reason);
}

static GstBusSyncReply note_message(GstBus *bus, GstMessage *message, gpointer data) {
    (void)bus;
    SegueEffect *effect = (SegueEffect *)data;
    if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR && g_thread_self() == effect->thread) {
        GError *error = NULL;
        gst_message_parse_error(message, &error, NULL);
        fail(effect, error ? error->message : "it failed");
        g_clear_error(&error);
    }
    // A handler that discards a message has its reference.
    gst_message_unref(message);
    return GST_BUS_DROP;
}

/// Keeps what comes out. What another thread gives comes at some time or other, and has no position.
static GstFlowReturn collect(GstPad *pad, GstObject *parent, GstBuffer *buffer) {
    (void)parent;
    SegueEffect *effect = (SegueEffect *)gst_pad_get_element_private(pad);
    GstMapInfo map;
    if (g_thread_self() == effect->thread && gst_buffer_map(buffer, &map, GST_MAP_READ)) {
        if (effect->output->len + map.size > most_output) {
            fail(effect, "it gives far more sound than it gets");
        } else {
            g_byte_array_append(effect->output, map.data, (guint)map.size);
        }
        gst_buffer_unmap(buffer, &map);
    }
    gst_buffer_unref(buffer);
    return GST_FLOW_OK;
}

/// Events end here: nothing before or behind the element asks for any.
static gboolean ignore_event(GstPad *pad, GstObject *parent, GstEvent *event) {
    (void)pad, (void)parent;
    gst_event_unref(event);
    return TRUE;
}

static GstPad *end_pad(const char *name, GstPadDirection direction, GstCaps *caps, SegueEffect *effect) {
    GstPadTemplate *template = gst_pad_template_new(name, direction, GST_PAD_ALWAYS, caps);
    GstPad *pad = GST_PAD(gst_object_ref_sink(gst_pad_new_from_template(template, name)));
    gst_object_unref(template);
    gst_pad_set_element_private(pad, effect);
    gst_pad_set_event_function(pad, ignore_event);
    if (direction == GST_PAD_SINK) gst_pad_set_chain_function(pad, collect);
    gst_pad_set_active(pad, TRUE);
    return pad;
}

static gboolean link_ends(SegueEffect *effect) {
    GstPad *input = gst_element_get_static_pad(effect->element, "sink");
    GstPad *output = gst_element_get_static_pad(effect->element, "src");
    gboolean linked = input && output && gst_pad_link(effect->source, input) == GST_PAD_LINK_OK
        && gst_pad_link(output, effect->sink) == GST_PAD_LINK_OK;
    g_clear_object(&input);
    g_clear_object(&output);
    return linked;
}

/// Puts an element between two that bring samples to its kind and back; NULL where they are missing.
static GstElement *converted(GstElement *element) {
    GstElement *before = gst_element_factory_make("audioconvert", NULL);
    GstElement *behind = gst_element_factory_make("audioconvert", NULL);
    GstElement *bin = gst_bin_new(NULL);
    gst_object_ref_sink(bin);
    if (before) gst_bin_add(GST_BIN(bin), before);
    if (behind) gst_bin_add(GST_BIN(bin), behind);
    gst_bin_add(GST_BIN(bin), element);
    if (!before || !behind || !gst_element_link_many(before, element, behind, NULL)) {
        gst_object_unref(bin);
        return NULL;
    }
    GstPad *input = gst_element_get_static_pad(before, "sink"), *output = gst_element_get_static_pad(behind, "src");
    gst_element_add_pad(bin, gst_ghost_pad_new("sink", input));
    gst_element_add_pad(bin, gst_ghost_pad_new("src", output));
    gst_object_unref(input);
    gst_object_unref(output);
    return bin;
}

static void begin(SegueEffect *effect, GstCaps *caps) {
    if (!link_ends(effect)) return fail(effect, "it doesn't take such sound");
    if (gst_element_set_state(effect->element, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
        return fail(effect, "it doesn't start");
    }
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    gst_pad_push_event(effect->source, gst_event_new_stream_start("segue"));
    if (!gst_pad_push_event(effect->source, gst_event_new_caps(caps))) {
        return fail(effect, "it doesn't take such sound");
    }
    gst_pad_push_event(effect->source, gst_event_new_segment(&segment));
}

SegueEffect *segue_effect_new(GstElement *element, gint rate, gint channels, guint64 mask, gboolean converts) {
    SegueEffect *effect = g_new0(SegueEffect, 1);
    effect->rate = rate;
    effect->channels = channels;
    effect->thread = g_thread_self();
    effect->output = g_byte_array_new();
    effect->element = converts ? converted(element) : GST_ELEMENT(gst_object_ref(element));
    GstCaps *caps = sound_caps(GST_AUDIO_NE(F32), rate, channels, mask);
    effect->source = end_pad("src", GST_PAD_SRC, caps, effect);
    // Some elements lose the positions of channels on the way.
    GstCaps *without_places = sound_caps(GST_AUDIO_NE(F32), rate, channels, 0);
    effect->sink = end_pad("sink", GST_PAD_SINK, without_places, effect);
    gst_caps_unref(without_places);
    if (effect->element) {
        effect->bus = gst_bus_new();
        gst_bus_set_sync_handler(effect->bus, note_message, effect, NULL);
        gst_element_set_bus(effect->element, effect->bus);
        begin(effect, caps);
    } else {
        fail(effect, "it doesn't take such sound, and GStreamer's audioconvert can't bring it to its kind");
    }
    gst_caps_unref(caps);
    return effect;
}

gboolean segue_effect_push(SegueEffect *effect, const float *samples, gsize count) {
    g_byte_array_set_size(effect->output, 0);
    if (effect->error) return FALSE;
    guint64 frames = count / (gsize)effect->channels;
    GstBuffer *buffer = gst_buffer_new_memdup(samples, count * sizeof(float));
    GST_BUFFER_PTS(buffer) = gst_util_uint64_scale(effect->frames, GST_SECOND, (guint64)effect->rate);
    effect->frames += frames;
    GST_BUFFER_DURATION(buffer) =
        gst_util_uint64_scale(effect->frames, GST_SECOND, (guint64)effect->rate) - GST_BUFFER_PTS(buffer);
    GstFlowReturn flow = gst_pad_push(effect->source, buffer);
    if (flow != GST_FLOW_OK) fail(effect, flow == GST_FLOW_NOT_NEGOTIATED ? "it doesn't take such sound" : "it failed");
    return effect->error == NULL;
}

const float *segue_effect_output(SegueEffect *effect, gsize *count) {
    gsize frame = sizeof(float) * (gsize)effect->channels;
    *count = effect->output->len / frame * (gsize)effect->channels;
    return (const float *)(gconstpointer)effect->output->data;
}

const char *segue_effect_error(SegueEffect *effect) { return effect->error; }

void segue_effect_free(SegueEffect *effect) {
    gst_pad_set_active(effect->source, FALSE);
    if (effect->element) {
        gst_element_set_state(effect->element, GST_STATE_NULL);
        gst_element_set_bus(effect->element, NULL);
        gst_object_unref(effect->element);
    }
    if (effect->bus) {
        gst_bus_set_sync_handler(effect->bus, NULL, NULL, NULL);
        gst_object_unref(effect->bus);
    }
    gst_pad_set_active(effect->sink, FALSE);
    gst_object_unref(effect->source);
    gst_object_unref(effect->sink);
    g_byte_array_unref(effect->output);
    g_free(effect->error);
    g_free(effect);
}

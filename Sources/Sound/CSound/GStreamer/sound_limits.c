#include "sound_limits.h"

#include <string.h>

const char *segue_factory_name(GstElementFactory *factory) { return GST_OBJECT_NAME(factory); }
GstElement *segue_parent(GstElement *element) {
    GstObject *parent = gst_object_get_parent(GST_OBJECT(element));
    if (parent && !GST_IS_ELEMENT(parent)) {
        gst_object_unref(parent);
        return NULL;
    }
    return (GstElement *)parent;
}

gulong segue_connect_discoverer(GstDiscoverer *discoverer, const char *signal, GCallback callback) {
    return g_signal_connect(discoverer, signal, callback, NULL);
}

void segue_forget_uri_sources(const char *const *kept) {
    GstRegistry *registry = gst_registry_get();
    GstPlugin *core = gst_plugin_load_by_name("coreelements");
    if (core) gst_object_unref(core);
    GList *factories = gst_registry_get_feature_list(registry, GST_TYPE_ELEMENT_FACTORY);
    for (GList *item = factories; item; item = item->next) {
        GstElementFactory *factory = GST_ELEMENT_FACTORY(item->data);
        if (gst_element_factory_get_uri_type(factory) != GST_URI_SRC) continue;
        if (g_strv_contains(kept, GST_OBJECT_NAME(factory))) continue;
        gst_registry_remove_feature(registry, GST_PLUGIN_FEATURE(factory));
    }
    gst_plugin_feature_list_free(factories);
}

gboolean segue_opens(const char *scheme) { return gst_uri_protocol_is_supported(GST_URI_SRC, scheme); }

// A stream may begin anew five times in a second of its sound, seen over some parts: a server that cuts it into shorter
// ones has more elements made and removed than sound played. Time of the clock says nothing: servers send ahead.
enum { parts_seen = 20 };
static const GstClockTime least_of_parts = parts_seen * 195 * GST_MSECOND;

typedef struct {
    gint least_rate, most_rate, most_channels;
    gsize largest_buffer;
    gboolean is_refused;
    /// How long each of the last parts was, and how many have begun.
    GstClockTime parts[parts_seen];
    guint64 begun;
} SegueSoundLimits;

static void refuse_sound(GstElement *element, SegueSoundLimits *limits, const char *text) {
    if (limits->is_refused) return;
    limits->is_refused = TRUE;
    GError *error = g_error_new_literal(GST_STREAM_ERROR, SEGUE_STREAM_ERROR_REFUSED, text);
    gst_element_post_message(element, gst_message_new_error(GST_OBJECT(element), error, NULL));
    g_error_free(error);
}

/// Counts a part that begins; false if those before it were too short.
static gboolean may_begin(SegueSoundLimits *limits) {
    GstClockTime sum = 0;
    for (int i = 0; i < parts_seen; i++) sum += limits->parts[i];
    guint64 begun = limits->begun++;
    limits->parts[limits->begun % parts_seen] = 0;
    return begun < parts_seen || sum >= least_of_parts;
}

/// Counts sound to the part that plays; sound that doesn't say how long it is is long enough.
static void count_sound(SegueSoundLimits *limits, GstBuffer *buffer) {
    GstClockTime duration = GST_BUFFER_DURATION(buffer);
    GstClockTime *part = &limits->parts[limits->begun % parts_seen];
    *part = MIN(*part + MIN(duration, GST_SECOND), GST_SECOND);
}

guint64 segue_channel_mask(const GstStructure *structure) {
    guint64 mask = 0;
    gst_structure_get(structure, "channel-mask", GST_TYPE_BITMASK, &mask, NULL);
    return mask;
}

/// Gives channels the usual positions where a header names none, or not one for each: GStreamer refuses such sound.
static void place_channels(GstPadProbeInfo *info, GstCaps *caps, const GstStructure *structure, gint channels) {
    // Left, right and centre; then the surrounds; then low frequencies behind the centre; as FLAC has them.
    static const guint64 usual[] = {0, 0, 0, 0x7, 0x33, 0x37, 0x3f, 0xd0f, 0xc3f};
    if (channels < 3 || channels > 8) return;
    guint64 mask = segue_channel_mask(structure);
    if (gst_structure_has_field(structure, "channel-mask")
        && (mask == 0 || __builtin_popcountll(mask) == channels)) {
        return;
    }
    GstCaps *placed = gst_caps_copy(caps);
    gst_caps_set_simple(placed, "channel-mask", GST_TYPE_BITMASK, usual[channels], NULL);
    GstEvent *event = gst_event_new_caps(placed);
    gst_caps_unref(placed);
    gst_event_set_seqnum(event, gst_event_get_seqnum(GST_PAD_PROBE_INFO_EVENT(info)));
    gst_event_unref(GST_PAD_PROBE_INFO_EVENT(info));
    GST_PAD_PROBE_INFO_DATA(info) = event;
}

static GstPadProbeReturn limits_probe(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    SegueSoundLimits *limits = (SegueSoundLimits *)data;
    GstElement *element = gst_pad_get_parent_element(pad);
    if (!element) return GST_PAD_PROBE_OK;
    char text[160];
    if (GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER) {
        gsize size = gst_buffer_get_size(GST_PAD_PROBE_INFO_BUFFER(info));
        if (size > limits->largest_buffer) {
            g_snprintf(
                text, sizeof text, "one piece of its sound has %" G_GSIZE_FORMAT " bytes; at most %" G_GSIZE_FORMAT
                " are taken", size, limits->largest_buffer
            );
            refuse_sound(element, limits, text);
        }
        count_sound(limits, GST_PAD_PROBE_INFO_BUFFER(info));
    } else if (GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) == GST_EVENT_STREAM_START) {
        if (!may_begin(limits)) refuse_sound(element, limits, "its stream begins anew more than five times a second");
    } else if (GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) == GST_EVENT_CAPS) {
        GstCaps *caps;
        gint rate = 0, channels = 0;
        gst_event_parse_caps(GST_PAD_PROBE_INFO_EVENT(info), &caps);
        GstStructure *structure = gst_caps_get_structure(caps, 0);
        if (gst_structure_get_int(structure, "rate", &rate) && gst_structure_get_int(structure, "channels", &channels)) {
            if (rate < limits->least_rate || rate > limits->most_rate) {
                g_snprintf(
                    text, sizeof text, "its sample rate is %d Hz; rates from %d to %d Hz can be played", rate,
                    limits->least_rate, limits->most_rate
                );
                refuse_sound(element, limits, text);
            } else if (channels < 1 || channels > limits->most_channels) {
                g_snprintf(
                    text, sizeof text, "it has %d channels; at most %d can be played", channels, limits->most_channels
                );
                refuse_sound(element, limits, text);
            } else {
                place_channels(info, caps, structure, channels);
            }
        }
    }
    gst_object_unref(element);
    if (!limits->is_refused) return GST_PAD_PROBE_OK;
    // The error ends what comes from before this element, too.
    if (GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER) {
        gst_buffer_unref(GST_PAD_PROBE_INFO_BUFFER(info));
        GST_PAD_PROBE_INFO_DATA(info) = NULL;
        GST_PAD_PROBE_INFO_FLOW_RETURN(info) = GST_FLOW_ERROR;
        return GST_PAD_PROBE_HANDLED;
    }
    return GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) == GST_EVENT_CAPS ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

void segue_limit_sound(
    GstElement *element, gint least_rate, gint most_rate, gint most_channels, gsize largest_buffer
) {
    GstPad *pad = gst_element_get_static_pad(element, "sink");
    if (!pad) return;
    SegueSoundLimits *limits = g_new0(SegueSoundLimits, 1);
    limits->least_rate = least_rate;
    limits->most_rate = most_rate;
    limits->most_channels = most_channels;
    limits->largest_buffer = largest_buffer;
    gst_pad_add_probe(
        pad, (GstPadProbeType)(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_BUFFER), limits_probe,
        limits, g_free
    );
    gst_object_unref(pad);
}

// Formats that are known by their first bytes.

static void find_dash(GstTypeFind *find, gpointer unused) {
    (void)unused;
    for (guint length = 1024; length >= 64; length /= 2) {
        const guint8 *data = gst_type_find_peek(find, 0, length);
        if (!data) continue;
        if (g_strstr_len((const gchar *)data, length, "<MPD")) {
            gst_type_find_suggest_simple(find, GST_TYPE_FIND_MAXIMUM, "application/dash+xml", NULL, NULL);
        }
        return;
    }
}

// GStreamer looks into the first block of WavPack as a whole, and 128 KB deep at the most where bytes come in order:
// songs of high rates have longer blocks.
static void find_wavpack(GstTypeFind *find, gpointer unused) {
    (void)unused;
    const guint8 *start = gst_type_find_peek(find, 0, 4);
    if (!start || memcmp(start, "wvpk", 4) != 0) return;
    gst_type_find_suggest_simple(
        find, GST_TYPE_FIND_POSSIBLE, "audio/x-wavpack", "framed", G_TYPE_BOOLEAN, FALSE, NULL);
}

void segue_know_wavpack(void) {
    gst_type_find_register(NULL, "segue-wavpack", GST_RANK_MARGINAL, find_wavpack, "wv", NULL, NULL, NULL);
}

void segue_know_dash(void) {
    GstCaps *caps = gst_caps_new_empty_simple("application/dash+xml");
    gst_type_find_register(NULL, "segue-dash", GST_RANK_PRIMARY + 1, find_dash, "mpd", caps, NULL, NULL);
    gst_caps_unref(caps);
}

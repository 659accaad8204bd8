#include "gstreamer_shim.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static GstPadProbeReturn end_probe(GstPad *pad, GstPadProbeInfo *info, gpointer element) {
    (void)pad;
    if (GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) == GST_EVENT_EOS) {
        gst_element_post_message(
            GST_ELEMENT(element),
            gst_message_new_application(GST_OBJECT(element), gst_structure_new_empty("segue-end"))
        );
    }
    return GST_PAD_PROBE_OK;
}

void segue_watch_end(GstElement *element) {
    GstPad *pad = gst_element_get_static_pad(element, "sink");
    if (!pad) return;
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, end_probe, element, NULL);
    gst_object_unref(pad);
}

gboolean segue_has_end(GstElement *element) {
    GstPad *pad = gst_element_get_static_pad(element, "sink");
    if (!pad) return FALSE;
    gboolean has_end = GST_PAD_IS_EOS(pad);
    gst_object_unref(pad);
    return has_end;
}

// Whole numbers of 32 bits stay what they are behind the converter, as floats don't hold them; all else becomes floats.
static void keep_whole_numbers(GstElement *converter, GstCaps *caps) {
    GstObject *bin = gst_object_get_parent(GST_OBJECT(converter));
    GstElement *form = bin ? gst_bin_get_by_name(GST_BIN(bin), "form") : NULL;
    if (bin) gst_object_unref(bin);
    if (!form) return;
    const char *given = gst_structure_get_string(gst_caps_get_structure(caps, 0), "format");
    const char *wanted = given && g_str_has_prefix(given, "S32") ? "S32LE" : "F32LE";
    GstCaps *known = NULL;
    g_object_get(form, "caps", &known, NULL);
    if (known && gst_caps_get_size(known) > 0 &&
        g_strcmp0(gst_structure_get_string(gst_caps_get_structure(known, 0), "format"), wanted) != 0) {
        known = gst_caps_make_writable(known);
        gst_caps_set_simple(known, "format", G_TYPE_STRING, wanted, NULL);
        g_object_set(form, "caps", known, NULL);
    }
    if (known) gst_caps_unref(known);
    gst_object_unref(form);
}

static GstPadProbeReturn caps_probe(GstPad *pad, GstPadProbeInfo *info, gpointer element) {
    (void)pad;
    GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info);
    if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS) {
        GstCaps *caps;
        gst_event_parse_caps(event, &caps);
        keep_whole_numbers(GST_ELEMENT(element), caps);
        gst_element_post_message(
            GST_ELEMENT(element),
            gst_message_new_application(
                GST_OBJECT(element), gst_structure_new("segue-caps", "caps", GST_TYPE_CAPS, caps, NULL)
            )
        );
    }
    return GST_PAD_PROBE_OK;
}

void segue_watch_caps(GstElement *element) {
    GstPad *pad = gst_element_get_static_pad(element, "sink");
    if (!pad) return;
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, caps_probe, element, NULL);
    gst_object_unref(pad);
}

GstCaps *segue_message_caps(GstMessage *message) {
    const GstStructure *structure = gst_message_get_structure(message);
    if (!structure || !gst_structure_has_name(structure, "segue-caps")) return NULL;
    const GValue *value = gst_structure_get_value(structure, "caps");
    return value ? (GstCaps *)gst_value_get_caps(value) : NULL;
}

gboolean segue_message_has(GstMessage *message, const char *name) {
    const GstStructure *structure = gst_message_get_structure(message);
    return structure && gst_structure_has_name(structure, name);
}

guint segue_message_http_status(GstMessage *message) {
    guint status = 0;
    gst_structure_get_uint(gst_message_get_structure(message), "http-status-code", &status);
    return status;
}

gboolean segue_message_has_header(GstMessage *message, const char *start) {
    const GValue *value = gst_structure_get_value(gst_message_get_structure(message), "response-headers");
    if (!value || !GST_VALUE_HOLDS_STRUCTURE(value)) return FALSE;
    const GstStructure *headers = gst_value_get_structure(value);
    for (gint index = 0; index < gst_structure_n_fields(headers); index++) {
        const char *name = gst_structure_nth_field_name(headers, index);
        if (g_ascii_strncasecmp(name, start, strlen(start)) == 0) return TRUE;
    }
    return FALSE;
}

const char *segue_message_header(GstMessage *message, const char *wanted) {
    const GValue *value = gst_structure_get_value(gst_message_get_structure(message), "response-headers");
    if (!value || !GST_VALUE_HOLDS_STRUCTURE(value)) return NULL;
    const GstStructure *headers = gst_value_get_structure(value);
    for (gint index = 0; index < gst_structure_n_fields(headers); index++) {
        const char *name = gst_structure_nth_field_name(headers, index);
        if (g_ascii_strcasecmp(name, wanted) == 0) return gst_structure_get_string(headers, name);
    }
    return NULL;
}

struct SegueSinkThread {
    GstElement *sink;
    gint thread;
    gint priority;
};

// The messages come from the thread itself.
static GstBusSyncReply note_sink_thread(GstBus *bus, GstMessage *message, gpointer data) {
    (void)bus;
    SegueSinkThread *watch = data;
    if (GST_MESSAGE_TYPE(message) != GST_MESSAGE_STREAM_STATUS) return GST_BUS_PASS;
    GstStreamStatusType type;
    GstElement *owner;
    gst_message_parse_stream_status(message, &type, &owner);
    // One without the right continues as it is.
    if (type == GST_STREAM_STATUS_TYPE_ENTER && watch->priority > 0) segue_make_realtime(watch->priority);
    if (owner != watch->sink) return GST_BUS_PASS;
    if (type == GST_STREAM_STATUS_TYPE_ENTER) g_atomic_int_set(&watch->thread, (gint)syscall(SYS_gettid));
    if (type == GST_STREAM_STATUS_TYPE_LEAVE) g_atomic_int_set(&watch->thread, 0);
    return GST_BUS_PASS;
}

SegueSinkThread *segue_watch_sink(GstElement *pipeline, GstElement *sink, gint priority) {
    SegueSinkThread *watch = g_new0(SegueSinkThread, 1);
    watch->sink = sink;
    watch->priority = priority;
    GstBus *bus = gst_element_get_bus(pipeline);
    gst_bus_set_sync_handler(bus, note_sink_thread, watch, g_free);
    gst_object_unref(bus);
    return watch;
}

gint segue_sink_thread(SegueSinkThread *watch) { return g_atomic_int_get(&watch->thread); }

// What Swift cannot import by itself: macros, casts and variadic functions of GLib and GStreamer.
#pragma once
#include <gst/gst.h>
#include <gst/base/gstbasesrc.h>
#include <gst/app/gstappsrc.h>
#include <gst/app/gstappsink.h>
#include <gst/audio/audio.h>
#include <gst/pbutils/pbutils.h>
#include <sys/prctl.h>
#include "limits.h"

// Properties.

static inline gboolean segue_has_property(GstElement *object, const char *name) {
    return g_object_class_find_property(G_OBJECT_GET_CLASS(object), name) != NULL;
}
static inline void segue_set_string(GstElement *object, const char *name, const char *value) {
    g_object_set(object, name, value, NULL);
}
static inline void segue_set_int(GstElement *object, const char *name, gint value) {
    g_object_set(object, name, value, NULL);
}
static inline void segue_set_int64(GstElement *object, const char *name, gint64 value) {
    g_object_set(object, name, value, NULL);
}
static inline void segue_set_boolean(GstElement *object, const char *name, gboolean value) {
    g_object_set(object, name, value, NULL);
}
static inline void segue_set_caps(GstElement *object, const char *name, GstCaps *value) {
    g_object_set(object, name, value, NULL);
}
static inline char *segue_get_string(GstElement *object, const char *name) {
    char *value = NULL;
    g_object_get(object, name, &value, NULL);
    return value;
}
static inline guint segue_get_uint(GstElement *object, const char *name) {
    guint value = 0;
    g_object_get(object, name, &value, NULL);
    return value;
}
static inline guint64 segue_get_uint64(GstElement *object, const char *name) {
    guint64 value = 0;
    g_object_get(object, name, &value, NULL);
    return value;
}

// Bins and signals.

static inline GstElement *segue_bin_get(GstElement *bin, const char *name) {
    return gst_bin_get_by_name(GST_BIN(bin), name);
}
static inline gboolean segue_bin_add(GstElement *bin, GstElement *element) {
    return gst_bin_add(GST_BIN(bin), element);
}
/// Whether the bin holds, however deep, an element made by that factory.
static inline gboolean segue_bin_has(GstElement *bin, const char *factory) {
    GstIterator *iterator = gst_bin_iterate_recurse(GST_BIN(bin));
    GValue item = G_VALUE_INIT;
    gboolean found = FALSE;
    while (!found && gst_iterator_next(iterator, &item) == GST_ITERATOR_OK) {
        GstElementFactory *made_by = gst_element_get_factory(GST_ELEMENT(g_value_get_object(&item)));
        found = made_by && g_strcmp0(GST_OBJECT_NAME(made_by), factory) == 0;
        g_value_reset(&item);
    }
    if (G_IS_VALUE(&item)) g_value_unset(&item);
    gst_iterator_free(iterator);
    return found;
}
/// Has elements made by that factory preferred over others for the same sound.
static inline void segue_prefer(const char *factory) {
    GstElementFactory *found = gst_element_factory_find(factory);
    if (!found) return;
    gst_plugin_feature_set_rank(GST_PLUGIN_FEATURE(found), GST_RANK_PRIMARY + 1);
    gst_object_unref(found);
}
/// Has elements made by that factory never chosen by themselves.
static inline void segue_avoid(const char *factory) {
    GstElementFactory *found = gst_element_factory_find(factory);
    if (!found) return;
    gst_plugin_feature_set_rank(GST_PLUGIN_FEATURE(found), GST_RANK_NONE);
    gst_object_unref(found);
}
/// Calls `callback` on `signal`; `release` gets `data` when the connection goes.
static inline gulong segue_connect(
    GstElement *object, const char *signal, GCallback callback, gpointer data, GClosureNotify release
) {
    return g_signal_connect_data(object, signal, callback, data, release, (GConnectFlags)0);
}
/// Sets `tags` on every element of the bin that takes tags.
static inline void segue_bin_set_tags(GstElement *bin, const GstTagList *tags) {
    GstIterator *iterator = gst_bin_iterate_all_by_interface(GST_BIN(bin), GST_TYPE_TAG_SETTER);
    GValue item = G_VALUE_INIT;
    while (gst_iterator_next(iterator, &item) == GST_ITERATOR_OK) {
        gst_tag_setter_merge_tags(GST_TAG_SETTER(g_value_get_object(&item)), tags, GST_TAG_MERGE_REPLACE);
        g_value_reset(&item);
    }
    g_value_unset(&item);
    gst_iterator_free(iterator);
}
static inline void segue_unref(gpointer object) { gst_object_unref(object); }
static inline gpointer segue_ref(gpointer object) { return gst_object_ref(object); }
static inline void segue_unref_closure_data(gpointer data, GClosure *closure) {
    (void)closure;
    gst_object_unref(data);
}
static inline GstElement *segue_element(gpointer object) { return GST_ELEMENT(object); }

// appsrc and appsink.

static inline GstSample *segue_appsink_try_pull(GstElement *sink, guint64 nanoseconds) {
    return gst_app_sink_try_pull_sample(GST_APP_SINK(sink), nanoseconds);
}
static inline gboolean segue_appsink_is_eos(GstElement *sink) { return gst_app_sink_is_eos(GST_APP_SINK(sink)); }
static inline GstFlowReturn segue_appsrc_push(GstElement *source, GstBuffer *buffer) {
    return gst_app_src_push_buffer(GST_APP_SRC(source), buffer);
}
static inline GstFlowReturn segue_appsrc_end(GstElement *source) {
    return gst_app_src_end_of_stream(GST_APP_SRC(source));
}

// Mini objects, whose reference functions are macros or inline.

static inline void segue_buffer_unref(GstBuffer *buffer) { gst_buffer_unref(buffer); }
static inline gboolean segue_buffer_is_header(GstBuffer *buffer) {
    return GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_HEADER);
}
static inline void segue_sample_unref(GstSample *sample) { gst_sample_unref(sample); }
static inline void segue_caps_unref(GstCaps *caps) { gst_caps_unref(caps); }
static inline void segue_message_unref(GstMessage *message) { gst_message_unref(message); }
static inline void segue_tags_unref(GstTagList *tags) { gst_tag_list_unref(tags); }
static inline GstCaps *segue_caps_ref(GstCaps *caps) { return gst_caps_ref(caps); }

// Messages.

static inline gboolean segue_message_is(GstMessage *message, GstMessageType type) {
    return GST_MESSAGE_TYPE(message) == type;
}
static inline GError *segue_message_error(GstMessage *message) {
    GError *error = NULL;
    gst_message_parse_error(message, &error, NULL);
    return error;
}
/// What developers are told of an error; NULL if nothing. To be freed.
static inline char *segue_message_detail(GstMessage *message) {
    char *detail = NULL;
    gst_message_parse_error(message, NULL, &detail);
    return detail;
}
static inline gboolean segue_error_is_resource(const GError *error) { return error->domain == GST_RESOURCE_ERROR; }
static inline gboolean segue_error_is_stream(const GError *error) { return error->domain == GST_STREAM_ERROR; }
static inline gboolean segue_error_is_core(const GError *error) { return error->domain == GST_CORE_ERROR; }

// Tags.

static inline void segue_tags_add_string(GstTagList *tags, const char *tag, const char *value) {
    gst_tag_list_add(tags, GST_TAG_MERGE_APPEND, tag, value, NULL);
}
static inline void segue_tags_add_uint(GstTagList *tags, const char *tag, guint value) {
    gst_tag_list_add(tags, GST_TAG_MERGE_APPEND, tag, value, NULL);
}
static inline void segue_tags_add_double(GstTagList *tags, const char *tag, double value) {
    gst_tag_list_add(tags, GST_TAG_MERGE_APPEND, tag, value, NULL);
}
static inline void segue_tags_add_date(GstTagList *tags, guint year, guint month, guint day) {
    GDate *date = g_date_new_dmy((GDateDay)day, (GDateMonth)month, (GDateYear)year);
    GstDateTime *moment = gst_date_time_new_ymd((gint)year, (gint)month, (gint)day);
    gst_tag_list_add(tags, GST_TAG_MERGE_REPLACE, GST_TAG_DATE, date, NULL);
    gst_tag_list_add(tags, GST_TAG_MERGE_REPLACE, GST_TAG_DATE_TIME, moment, NULL);
    gst_date_time_unref(moment);
    g_date_free(date);
}
static inline void segue_tags_add_image(GstTagList *tags, GstBuffer *image, const char *mime_type) {
    GstCaps *caps = gst_caps_new_empty_simple(mime_type);
    GstSample *sample = gst_sample_new(image, caps, NULL, NULL);
    gst_tag_list_add(tags, GST_TAG_MERGE_APPEND, GST_TAG_IMAGE, sample, NULL);
    gst_sample_unref(sample);
    gst_caps_unref(caps);
}
/// Year, month and day of a moment, 0 where they are not known.
static inline void segue_date_time_parts(GstDateTime *moment, gint *year, gint *month, gint *day) {
    *year = gst_date_time_has_year(moment) ? gst_date_time_get_year(moment) : 0;
    *month = gst_date_time_has_month(moment) ? gst_date_time_get_month(moment) : 0;
    *day = gst_date_time_has_day(moment) ? gst_date_time_get_day(moment) : 0;
}
static inline void segue_date_parts(const GDate *date, gint *year, gint *month, gint *day) {
    *year = (gint)g_date_get_year(date);
    *month = (gint)g_date_get_month(date);
    *day = (gint)g_date_get_day(date);
}

// Discoverer.

static inline GstDiscovererAudioInfo *segue_discoverer_first_audio(GstDiscovererInfo *info) {
    GList *list = gst_discoverer_info_get_audio_streams(info);
    GstDiscovererAudioInfo *first = list ? (GstDiscovererAudioInfo *)g_object_ref(list->data) : NULL;
    gst_discoverer_stream_info_list_free(list);
    return first;
}
/// All tags of the file merged: those of its container, then those of its first audio stream; the caller's own.
static inline GstTagList *segue_discoverer_tags(GstDiscovererInfo *info) {
    GstTagList *merged = gst_tag_list_new_empty();
    GstDiscovererStreamInfo *top = gst_discoverer_info_get_stream_info(info);
    if (top) {
        const GstTagList *tags = gst_discoverer_stream_info_get_tags(top);
        if (GST_IS_DISCOVERER_CONTAINER_INFO(top)) {
            tags = gst_discoverer_container_info_get_tags((GstDiscovererContainerInfo *)top);
        }
        if (tags) gst_tag_list_insert(merged, tags, GST_TAG_MERGE_KEEP);
        g_object_unref(top);
    }
    GstDiscovererAudioInfo *audio = segue_discoverer_first_audio(info);
    if (audio) {
        const GstTagList *tags = gst_discoverer_stream_info_get_tags((GstDiscovererStreamInfo *)audio);
        if (tags) gst_tag_list_insert(merged, tags, GST_TAG_MERGE_KEEP);
        g_object_unref(audio);
    }
    return merged;
}
static inline void segue_gobject_unref(gpointer object) { g_object_unref(object); }

// Audio conversion without a pipeline.

static inline GstAudioConverter *segue_converter_new(
    GstAudioFormat from, gint from_rate, gint from_channels, GstAudioFormat to, gint to_rate, gint to_channels
) {
    GstAudioInfo input, output;
    gst_audio_info_set_format(&input, from, from_rate, from_channels, NULL);
    gst_audio_info_set_format(&output, to, to_rate, to_channels, NULL);
    // The best that the resampler has; it costs nothing where the rate stays.
    GstStructure *options = gst_structure_new_empty("options");
    gst_audio_resampler_options_set_quality(GST_AUDIO_RESAMPLER_METHOD_KAISER, 10, from_rate, to_rate, options);
    gst_structure_set(
        options, GST_AUDIO_CONVERTER_OPT_RESAMPLER_METHOD, GST_TYPE_AUDIO_RESAMPLER_METHOD,
        GST_AUDIO_RESAMPLER_METHOD_KAISER, NULL
    );
    return gst_audio_converter_new(GST_AUDIO_CONVERTER_FLAG_NONE, &input, &output, options);
}

// A source element whose bytes Swift supplies.

typedef struct {
    GstBaseSrc parent;
    gpointer feed;
} SegueSource;
typedef struct {
    GstBaseSrcClass parent_class;
} SegueSourceClass;

static inline GType segue_source_register(GClassInitFunc class_init, GInterfaceInitFunc uri_init) {
    GTypeInfo info = {0};
    info.class_size = sizeof(SegueSourceClass);
    info.class_init = class_init;
    info.instance_size = sizeof(SegueSource);
    GType type = g_type_register_static(GST_TYPE_BASE_SRC, "SegueSource", &info, (GTypeFlags)0);
    GInterfaceInfo uri_handler = {uri_init, NULL, NULL};
    g_type_add_interface_static(type, GST_TYPE_URI_HANDLER, &uri_handler);
    gst_element_register(NULL, "seguesource", GST_RANK_NONE, type);
    return type;
}
static inline void segue_set_uri_error(GError **error) {
    g_set_error_literal(error, GST_URI_ERROR, GST_URI_ERROR_BAD_REFERENCE, "There is no such track");
}
static inline void segue_source_finalize_parent(GObject *object) {
    GObjectClass *parent = (GObjectClass *)g_type_class_peek(GST_TYPE_BASE_SRC);
    parent->finalize(object);
}
static inline gboolean segue_source_query_parent(GstBaseSrc *source, GstQuery *query) {
    GstBaseSrcClass *parent = (GstBaseSrcClass *)g_type_class_peek(GST_TYPE_BASE_SRC);
    return parent->query(source, query);
}
static inline gboolean segue_query_is_scheduling(GstQuery *query) {
    return GST_QUERY_TYPE(query) == GST_QUERY_SCHEDULING;
}
static inline void segue_source_class_describe(gpointer klass) {
    GstElementClass *element = (GstElementClass *)klass;
    gst_element_class_set_static_metadata(
        element, "Segue track source", "Source", "Reads a track that may still be arriving", "Segue"
    );
    gst_element_class_add_pad_template(
        element, gst_pad_template_new("src", GST_PAD_SRC, GST_PAD_ALWAYS, gst_caps_new_any())
    );
}
static inline gboolean segue_source_is_pulled(GstBaseSrc *source) {
    return GST_PAD_MODE(GST_BASE_SRC_PAD(source)) == GST_PAD_MODE_PULL;
}

// Streams from the network.

static inline GstPadProbeReturn segue_end_probe(GstPad *pad, GstPadProbeInfo *info, gpointer element) {
    (void)pad;
    if (GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) == GST_EVENT_EOS) {
        gst_element_post_message(
            GST_ELEMENT(element),
            gst_message_new_application(GST_OBJECT(element), gst_structure_new_empty("segue-end"))
        );
    }
    return GST_PAD_PROBE_OK;
}
/// Has the element post an application message `segue-end` as soon as the last of its data has gone into it.
static inline void segue_watch_end(GstElement *element) {
    GstPad *pad = gst_element_get_static_pad(element, "sink");
    if (!pad) return;
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, segue_end_probe, element, NULL);
    gst_object_unref(pad);
}
static inline GstPadProbeReturn segue_caps_probe(GstPad *pad, GstPadProbeInfo *info, gpointer element) {
    (void)pad;
    GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info);
    if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS) {
        GstCaps *caps;
        gst_event_parse_caps(event, &caps);
        gst_element_post_message(
            GST_ELEMENT(element),
            gst_message_new_application(
                GST_OBJECT(element), gst_structure_new("segue-caps", "caps", GST_TYPE_CAPS, caps, NULL)
            )
        );
    }
    return GST_PAD_PROBE_OK;
}
/// Has the element post an application message `segue-caps` whenever data of another format is about to go into it.
static inline void segue_watch_caps(GstElement *element) {
    GstPad *pad = gst_element_get_static_pad(element, "sink");
    if (!pad) return;
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, segue_caps_probe, element, NULL);
    gst_object_unref(pad);
}
/// The format that a message `segue-caps` tells, which lives as long as the message; NULL for other messages.
static inline GstCaps *segue_message_caps(GstMessage *message) {
    const GstStructure *structure = gst_message_get_structure(message);
    if (!structure || !gst_structure_has_name(structure, "segue-caps")) return NULL;
    const GValue *value = gst_structure_get_value(structure, "caps");
    return value ? (GstCaps *)gst_value_get_caps(value) : NULL;
}
/// Whether a message carries a structure of that name.
static inline gboolean segue_message_has(GstMessage *message, const char *name) {
    const GstStructure *structure = gst_message_get_structure(message);
    return structure && gst_structure_has_name(structure, name);
}
/// The status code of a web server's answer in a message `http-headers`; 0 if there is none.
static inline guint segue_message_http_status(GstMessage *message) {
    guint status = 0;
    gst_structure_get_uint(gst_message_get_structure(message), "http-status-code", &status);
    return status;
}
/// Whether a web server's answer in a message `http-headers` has a header that begins so, in whatever case.
static inline gboolean segue_message_has_header(GstMessage *message, const char *start) {
    const GValue *value = gst_structure_get_value(gst_message_get_structure(message), "response-headers");
    if (!value || !GST_VALUE_HOLDS_STRUCTURE(value)) return FALSE;
    const GstStructure *headers = gst_value_get_structure(value);
    for (gint index = 0; index < gst_structure_n_fields(headers); index++) {
        const char *name = gst_structure_nth_field_name(headers, index);
        if (g_ascii_strncasecmp(name, start, strlen(start)) == 0) return TRUE;
    }
    return FALSE;
}
/// What a web server's answer in a message `http-headers` says in a header of that name, in whatever case; NULL if it
/// has none or several. It lives as long as the message.
static inline const char *segue_message_header(GstMessage *message, const char *wanted) {
    const GValue *value = gst_structure_get_value(gst_message_get_structure(message), "response-headers");
    if (!value || !GST_VALUE_HOLDS_STRUCTURE(value)) return NULL;
    const GstStructure *headers = gst_value_get_structure(value);
    for (gint index = 0; index < gst_structure_n_fields(headers); index++) {
        const char *name = gst_structure_nth_field_name(headers, index);
        if (g_ascii_strcasecmp(name, wanted) == 0) return gst_structure_get_string(headers, name);
    }
    return NULL;
}

/// The volume of a stream, as sound servers and their mixers show it (0 to 1).
static inline gboolean segue_has_stream_volume(GstElement *sink) { return GST_IS_STREAM_VOLUME(sink); }
static inline double segue_stream_volume(GstElement *sink) {
    return gst_stream_volume_get_volume(GST_STREAM_VOLUME(sink), GST_STREAM_VOLUME_FORMAT_CUBIC);
}
static inline void segue_set_stream_volume(GstElement *sink, double volume) {
    gst_stream_volume_set_volume(GST_STREAM_VOLUME(sink), GST_STREAM_VOLUME_FORMAT_CUBIC, volume);
}

// A volume on the last piece of the way to a device.

typedef struct {
    /// The factor to get to; set from any thread.
    float target;
    /// Set when what comes next doesn't join on.
    gint is_new;
    gint rate, channels;
    // The streaming thread's.
    float level, goal, step;
    gint steps;
} SegueVolume;

/// Scales a buffer of floats; it takes ten milliseconds to get from one factor to another.
static inline GstPadProbeReturn segue_volume_probe(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)pad;
    SegueVolume *self = (SegueVolume *)data;
    float goal;
    __atomic_load(&self->target, &goal, __ATOMIC_ACQUIRE);
    if (__atomic_exchange_n(&self->is_new, 0, __ATOMIC_ACQ_REL)) {
        self->level = self->goal = goal;
        self->steps = 0;
    } else if (goal != self->goal) {
        self->goal = goal;
        self->steps = MAX(1, self->rate / 100);
        self->step = (goal - self->level) / (float)self->steps;
    }
    if (self->steps == 0 && self->level == 1) return GST_PAD_PROBE_OK;
    GstBuffer *buffer = gst_buffer_make_writable(GST_PAD_PROBE_INFO_BUFFER(info));
    GST_PAD_PROBE_INFO_DATA(info) = buffer;
    GstMapInfo map;
    if (!gst_buffer_map(buffer, &map, GST_MAP_READWRITE)) return GST_PAD_PROBE_OK;
    float *samples = (float *)(gpointer)map.data;
    gsize frames = map.size / (sizeof(float) * (gsize)MAX(1, self->channels));
    for (gsize frame = 0; frame < frames; frame++) {
        if (self->steps > 0) self->level = --self->steps == 0 ? self->goal : self->level + self->step;
        for (gint channel = 0; channel < self->channels; channel++) *samples++ *= self->level;
    }
    gst_buffer_unmap(buffer, &map);
    return GST_PAD_PROBE_OK;
}
/// Scales what leaves the element, which has to be floats; what is given back is the element's.
static inline SegueVolume *segue_add_volume(GstElement *element) {
    SegueVolume *volume = g_new0(SegueVolume, 1);
    volume->target = 1;
    GstPad *pad = gst_element_get_static_pad(element, "src");
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, segue_volume_probe, volume, g_free);
    gst_object_unref(pad);
    return volume;
}
static inline void segue_volume_set(SegueVolume *volume, float factor) {
    __atomic_store(&volume->target, &factor, __ATOMIC_RELEASE);
}
/// Says that sound in that layout begins, while nothing flows.
static inline void segue_volume_begin(SegueVolume *volume, gint rate, gint channels) {
    volume->rate = rate;
    volume->channels = channels;
    __atomic_store_n(&volume->is_new, 1, __ATOMIC_RELEASE);
}

/// Names the calling thread, for debuggers and `top`.
static inline void segue_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

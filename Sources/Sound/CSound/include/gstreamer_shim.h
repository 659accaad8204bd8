// Wrappers for what Swift cannot import: macros, casts and variadic functions of GLib and GStreamer.
#pragma once
#include <gst/gst.h>
#include <gst/base/gstbasesrc.h>
#include <gst/app/gstappsrc.h>
#include <gst/app/gstappsink.h>
#include <gst/audio/audio.h>
#include <gst/fft/gstfftf32.h>
#include <gst/pbutils/pbutils.h>
#include "gaps.h"
#include "effect.h"
#include "picture_limits.h"
#include "sound_limits.h"
#include "web_responses.h"
#include "web_sources.h"

// GLib's log.

/// Takes what a library says, in any thread; the texts are borrowed.
typedef void (*SegueLogSink)(const char *domain, const char *message, size_t length);

/// Has `sink` take what libraries would write to standard error through GLib, but for messages behind which the process
/// ends. To be called once.
void segue_log_to(SegueLogSink sink);

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
static inline void segue_set_double(GstElement *object, const char *name, gdouble value) {
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
/// True if the bin holds, however deep, an element made by that factory.
gboolean segue_bin_has(GstElement *bin, const char *factory);

/// Has elements made by that factory preferred over others for the same sound.
void segue_prefer(const char *factory);

/// Keeps GStreamer from choosing elements of that factory on its own.
void segue_avoid(const char *factory);

/// Sets `tags` on every element of the bin that takes tags.
void segue_bin_set_tags(GstElement *bin, const GstTagList *tags);

/// Calls `callback` on `signal`; `release` gets `data` when the connection goes.
static inline gulong segue_connect(
    GstElement *object, const char *signal, GCallback callback, gpointer data, GClosureNotify release
) {
    return g_signal_connect_data(object, signal, callback, data, release, (GConnectFlags)0);
}
static inline void segue_unref(gpointer object) { gst_object_unref(object); }
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
/// The details of an error for developers; NULL if there are none. To be freed.
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
/// Adds a date of which month and day may be 0, which is not known; nothing where there is no such date.
static inline void segue_tags_add_moment(GstTagList *tags, guint year, guint month, guint day) {
    GstDateTime *moment = gst_date_time_new_ymd((gint)year, month > 0 ? (gint)month : -1, day > 0 ? (gint)day : -1);
    if (moment == NULL) return;
    gst_tag_list_add(tags, GST_TAG_MERGE_REPLACE, GST_TAG_DATE_TIME, moment, NULL);
    gst_date_time_unref(moment);
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

/// Has decoders give what the format's own give, and the first sound of elements that give it too early wait, in their
/// own thread, until `decodebin` can take it: a bin that finds the decoder on its own, before it has one.
void segue_prepare_decoders(GstElement *bin);

/// Has a bin read no further while too many parts of a chained stream in it have not been played; the parts of a stream
/// from the network are told apart.
void segue_bound_groups(GstElement *bin, gboolean is_stream);

/// Has the parts of a chained Ogg stream that comes to a pad have serial numbers that follow on each other.
void segue_tell_parts_apart(GstPad *pad);

// Discoverer.

/// Has the discoverer keep the pipeline that it makes for a file, for the two functions below.
void segue_discoverer_note_pipeline(GstDiscoverer *discoverer);

/// True if a pipeline has had threads, and all have come to rest, so that nothing more comes of it; in any thread.
gboolean segue_pipeline_is_idle(GstElement *pipeline);
/// True if a pipeline has not reached its state, and all its threads have come to rest, so that it never will; in any
/// thread.
gboolean segue_pipeline_rests(GstElement *pipeline);
/// The same of the discoverer's pipeline.
gboolean segue_discoverer_rests(GstDiscoverer *discoverer);

/// Ends the run with an error; in any thread.
void segue_discoverer_give_up(GstDiscoverer *discoverer);

GstDiscovererAudioInfo *segue_discoverer_first_audio(GstDiscovererInfo *info);

/// All tags of the file merged: those of its container, then those of its first audio stream; the caller's own.
GstTagList *segue_discoverer_tags(GstDiscovererInfo *info);

/// Takes the tags of a whole ID3 tag into the list in place of those of the same kinds, or with `alone` of all others;
/// FALSE if it is none.
gboolean segue_tags_take_id3(GstTagList *tags, const guint8 *bytes, gsize size, gboolean alone);

/// Adds a text unless the list has one of that tag.
static inline void segue_tags_add_missing(GstTagList *tags, const char *tag, const char *value) {
    gst_tag_list_add(tags, GST_TAG_MERGE_KEEP, tag, value, NULL);
}
/// Adds a track number unless there is one.
static inline void segue_tags_add_track(GstTagList *tags, guint number) {
    gst_tag_list_add(tags, GST_TAG_MERGE_KEEP, GST_TAG_TRACK_NUMBER, number, NULL);
}

/// True if a picture is told to be the front cover.
gboolean segue_sample_is_front_cover(GstSample *sample);

/// The name of a genre by its number in ID3; NULL where there is no such number.
const char *segue_id3_genre(guint number);

static inline void segue_toc_unref(GstToc *toc) { gst_toc_unref(toc); }

static inline void segue_gobject_unref(gpointer object) { g_object_unref(object); }

// Audio conversion without a pipeline.

GstAudioConverter *segue_converter_new(
    GstAudioFormat from, gint from_rate, gint from_channels, GstAudioFormat to, gint to_rate, gint to_channels
);

// A source element whose bytes Swift supplies.

typedef struct {
    GstBaseSrc parent;
    gpointer feed;
} SegueSource;
typedef struct {
    GstBaseSrcClass parent_class;
} SegueSourceClass;

/// The feed of a source; threads that read see all of one that was set before.
gpointer segue_source_feed(GstBaseSrc *source);

/// Sets the feed of a source and gives the one before.
gpointer segue_source_exchange_feed(GstBaseSrc *source, gpointer feed);

GType segue_source_register(GClassInitFunc class_init, GInterfaceInitFunc uri_init);

void segue_set_uri_error(GError **error);

void segue_source_finalize_parent(GObject *object);

gboolean segue_source_query_parent(GstBaseSrc *source, GstQuery *query);

gboolean segue_source_seek_parent(GstBaseSrc *source, GstSegment *segment);

gboolean segue_query_is_scheduling(GstQuery *query);

void segue_source_class_describe(gpointer klass);

gboolean segue_source_is_pulled(GstBaseSrc *source);

// Streams from the network.

/// Has the element post an application message `segue-end` as soon as the last of its data has gone into it.
void segue_watch_end(GstElement *element);

/// True if the last of an element's data has gone into it.
gboolean segue_has_end(GstElement *element);

/// Has the element, a converter, post an application message `segue-caps` whenever data of another format is about to
/// go into it. Where there is a capsfilter `form` next to it, that one lets whole numbers of 32 bits pass as they are,
/// and has floats made of all else.
void segue_watch_caps(GstElement *element);

/// Has the system run the calling thread before all that are not in real time; false where the user may not have that.
gboolean segue_make_realtime(gint priority);

/// Knows the thread in which a sink writes to its device.
typedef struct SegueSinkThread SegueSinkThread;
/// Looks for the sink's thread from now on; what is given back is the pipeline's. With a priority above 0 the
/// pipeline's threads run in real time.
SegueSinkThread *segue_watch_sink(GstElement *pipeline, GstElement *sink, gint priority);
/// The system's number of the thread; 0 while there is none.
gint segue_sink_thread(SegueSinkThread *watch);

/// The format that a message `segue-caps` tells, which lives as long as the message; NULL for other messages.
GstCaps *segue_message_caps(GstMessage *message);

/// True if a message carries a structure of that name.
gboolean segue_message_has(GstMessage *message, const char *name);

/// The status code of a web server's answer in a message `http-headers`; 0 if there is none.
guint segue_message_http_status(GstMessage *message);

/// True if a web server's answer in a message `http-headers` has a header that begins so, in whatever case.
gboolean segue_message_has_header(GstMessage *message, const char *start);

/// The value that a web server's answer in a message `http-headers` has in a header of that name, in whatever case;
/// NULL if it has none or several. It lives as long as the message.
const char *segue_message_header(GstMessage *message, const char *wanted);

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

/// Scales what leaves the element, which has to be floats; what is given back is the element's.
SegueVolume *segue_add_volume(GstElement *element);

void segue_volume_set(SegueVolume *volume, float factor);

/// Says that sound in that layout begins, while nothing flows.
void segue_volume_begin(SegueVolume *volume, gint rate, gint channels);

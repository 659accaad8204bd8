#include "gstreamer_shim.h"

// A chained Ogg stream has elements and threads of its own for each of its parts. They are made when the part is read,
// and go when it was played. A part that is short fits into its own queues, which bound nothing then: a server that
// sends ahead had thousands of threads made.
static const gint most_groups = 16;

// Between two looks whether a part was played, in microseconds.
static const gulong pause_between = 20 * 1000;

/// How many groups there are in a bin.
typedef struct {
    gint alive;
    gboolean is_stream;
} Groups;

static gboolean is_made_by(GstElement *element, const char *name) {
    GstElementFactory *factory = gst_element_get_factory(element);
    return factory && g_strcmp0(GST_OBJECT_NAME(factory), name) == 0;
}

// In the thread that reads: the source waits as it does where a queue is full.
static GstPadProbeReturn wait_for_room(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)info;
    Groups *groups = (Groups *)data;
    while (g_atomic_int_get(&groups->alive) > most_groups) {
        GST_OBJECT_LOCK(pad);
        gboolean is_over = GST_PAD_IS_FLUSHING(pad);
        GST_OBJECT_UNLOCK(pad);
        if (is_over) break;
        g_usleep(pause_between);
    }
    return GST_PAD_PROBE_OK;
}

static void release(gpointer data) { g_atomic_rc_box_release(data); }

static void release_with_signal(gpointer data, GClosure *closure) {
    (void)closure;
    release(data);
}

static void added(GstBin *bin, GstBin *parent, GstElement *element, gpointer data) {
    (void)bin, (void)parent;
    Groups *groups = (Groups *)data;
    if (is_made_by(element, "multiqueue")) g_atomic_int_inc(&groups->alive);
    if (!is_made_by(element, "oggdemux")) return;
    GstPad *pad = gst_element_get_static_pad(element, "sink");
    if (!pad) return;
    gst_pad_add_probe(
        pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, wait_for_room,
        g_atomic_rc_box_acquire(groups), release
    );
    if (groups->is_stream) segue_tell_parts_apart(pad);
    gst_object_unref(pad);
}

static void removed(GstBin *bin, GstBin *parent, GstElement *element, gpointer data) {
    (void)bin, (void)parent;
    if (is_made_by(element, "multiqueue")) g_atomic_int_add(&((Groups *)data)->alive, -1);
}

void segue_bound_groups(GstElement *bin, gboolean is_stream) {
    Groups *groups = g_atomic_rc_box_new0(Groups);
    groups->is_stream = is_stream;
    g_signal_connect_data(
        bin, "deep-element-added", G_CALLBACK(added), g_atomic_rc_box_acquire(groups), release_with_signal, 0
    );
    g_signal_connect_data(bin, "deep-element-removed", G_CALLBACK(removed), groups, release_with_signal, 0);
}

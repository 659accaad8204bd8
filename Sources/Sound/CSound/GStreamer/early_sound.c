#include "gstreamer_shim.h"

// These know before they have read anything that their pad gives sound, so that `decodebin` takes the pad as it is,
// and their own thread starts before `decodebin` holds the pad. Sound that comes earlier finds nothing behind the pad,
// which ends the thread; and `decodebin` loses the error, as it is still connecting the element.
static const char *const early_elements[] = {"aiffparse", "musepackdec", NULL};

// So often is looked, with a pause in between, in microseconds: two seconds of a process that runs.
static const int most_looks = 10000;
static const gulong pause_between = 200;

/// True if what a pad gives reaches an element behind all bins around it.
static gboolean leads_somewhere(GstPad *pad) {
    GstPad *at = GST_PAD(gst_object_ref(pad));
    for (int depth = 0; at && depth < 32; depth++) {
        GstPad *peer = gst_pad_get_peer(at);
        gst_object_unref(at);
        if (!peer) return FALSE;
        at = GST_IS_PROXY_PAD(peer) ? GST_PAD(gst_proxy_pad_get_internal(GST_PROXY_PAD(peer))) : NULL;
        gst_object_unref(peer);
        if (!at) return TRUE;
    }
    if (at) gst_object_unref(at);
    return FALSE;
}

// In the element's thread, with its first sound. This probe is one of those that block; `decodebin` has another one.
static GstPadProbeReturn wait_for_listener(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)info, (void)data;
    for (int looks = 0;; looks++) {
        GST_OBJECT_LOCK(pad);
        gboolean is_over = pad->num_blocked > 1 || GST_PAD_IS_FLUSHING(pad);
        GST_OBJECT_UNLOCK(pad);
        if (is_over || leads_somewhere(pad) || looks == most_looks) return GST_PAD_PROBE_REMOVE;
        g_usleep(pause_between);
    }
}

static void prepare_element(GstBin *bin, GstBin *parent, GstElement *element, gpointer data) {
    (void)bin, (void)parent, (void)data;
    GstElementFactory *factory = gst_element_get_factory(element);
    // By itself it takes the sides of wide sound at low rates as if they were to be mixed to mono, unlike Opus's own.
    if (factory && g_str_equal(GST_OBJECT_NAME(factory), "opusdec")
        && g_object_class_find_property(G_OBJECT_GET_CLASS(element), "phase-inversion")) {
        g_object_set(element, "phase-inversion", TRUE, NULL);
    }
    if (!factory || !g_strv_contains(early_elements, GST_OBJECT_NAME(factory))) return;
    GstPad *pad = gst_element_get_static_pad(element, "src");
    if (!pad) return;
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER, wait_for_listener, NULL, NULL);
    gst_object_unref(pad);
}

void segue_prepare_decoders(GstElement *bin) {
    g_signal_connect(bin, "deep-element-added", G_CALLBACK(prepare_element), NULL);
}

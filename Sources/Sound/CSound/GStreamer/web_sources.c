#include "web_sources.h"

static gboolean (*set_uri)(GstURIHandler *, const gchar *, GError **);
static SegueWebSettings settings;

static gboolean set_uri_with_settings(GstURIHandler *source, const gchar *uri, GError **error) {
    settings(GST_ELEMENT(source), uri);
    return set_uri(source, uri, error);
}

void segue_set_up_web_sources(SegueWebSettings wanted) {
    static gsize replaced = 0;
    if (!g_once_init_enter(&replaced)) return;
    GstElementFactory *known = gst_element_factory_find("souphttpsrc");
    GstPluginFeature *loaded = known ? gst_plugin_feature_load(GST_PLUGIN_FEATURE(known)) : NULL;
    if (loaded) {
        // The class stays for as long as the process lives, as GStreamer does.
        gpointer sources = g_type_class_ref(gst_element_factory_get_element_type(GST_ELEMENT_FACTORY(loaded)));
        GstURIHandlerInterface *addresses = g_type_interface_peek(sources, GST_TYPE_URI_HANDLER);
        if (addresses && addresses->set_uri) {
            settings = wanted;
            set_uri = addresses->set_uri;
            g_atomic_pointer_set(&addresses->set_uri, set_uri_with_settings);
        }
        gst_object_unref(loaded);
    }
    if (known) gst_object_unref(known);
    g_once_init_leave(&replaced, 1);
}

#include "gstreamer_shim.h"

GstElement *segue_disc_source(void) {
    static GMutex mutex;
    static GstElementFactory *factory;
    g_mutex_lock(&mutex);
    if (!factory) {
        // Loading brings the element back into the registry, where everything could open discs by address.
        GstPlugin *plugin = gst_plugin_load_by_name("cdio");
        factory = plugin ? gst_element_factory_find("cdiocddasrc") : NULL;
        if (factory) gst_registry_remove_feature(gst_registry_get(), GST_PLUGIN_FEATURE(factory));
        if (plugin) gst_object_unref(plugin);
    }
    GstElement *element = factory ? gst_element_factory_create(factory, "disc") : NULL;
    g_mutex_unlock(&mutex);
    return element;
}

void segue_disc_set_track(GstElement *disc, const char *device, guint track) {
    g_object_set(disc, "device", device, "track", track, NULL);
}

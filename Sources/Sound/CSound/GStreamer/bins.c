#include "gstreamer_shim.h"

gboolean segue_bin_has(GstElement *bin, const char *factory) {
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

void segue_prefer(const char *factory) {
    GstElementFactory *found = gst_element_factory_find(factory);
    if (!found) return;
    gst_plugin_feature_set_rank(GST_PLUGIN_FEATURE(found), GST_RANK_PRIMARY + 1);
    gst_object_unref(found);
}

void segue_avoid(const char *factory) {
    GstElementFactory *found = gst_element_factory_find(factory);
    if (!found) return;
    gst_plugin_feature_set_rank(GST_PLUGIN_FEATURE(found), GST_RANK_NONE);
    gst_object_unref(found);
}

void segue_bin_set_tags(GstElement *bin, const GstTagList *tags) {
    GstIterator *iterator = gst_bin_iterate_all_by_interface(GST_BIN(bin), GST_TYPE_TAG_SETTER);
    GValue item = G_VALUE_INIT;
    while (gst_iterator_next(iterator, &item) == GST_ITERATOR_OK) {
        gst_tag_setter_merge_tags(GST_TAG_SETTER(g_value_get_object(&item)), tags, GST_TAG_MERGE_REPLACE);
        g_value_reset(&item);
    }
    g_value_unset(&item);
    gst_iterator_free(iterator);
}

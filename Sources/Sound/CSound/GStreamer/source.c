#include "gstreamer_shim.h"

GType segue_source_register(GClassInitFunc class_init, GInterfaceInitFunc uri_init) {
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

gpointer segue_source_feed(GstBaseSrc *source) {
    return __atomic_load_n(&((SegueSource *)source)->feed, __ATOMIC_ACQUIRE);
}

gpointer segue_source_exchange_feed(GstBaseSrc *source, gpointer feed) {
    return __atomic_exchange_n(&((SegueSource *)source)->feed, feed, __ATOMIC_ACQ_REL);
}

void segue_set_uri_error(GError **error) {
    g_set_error_literal(error, GST_URI_ERROR, GST_URI_ERROR_BAD_REFERENCE, "There is no such track");
}

void segue_source_finalize_parent(GObject *object) {
    GObjectClass *parent = (GObjectClass *)g_type_class_peek(GST_TYPE_BASE_SRC);
    parent->finalize(object);
}

gboolean segue_source_query_parent(GstBaseSrc *source, GstQuery *query) {
    GstBaseSrcClass *parent = (GstBaseSrcClass *)g_type_class_peek(GST_TYPE_BASE_SRC);
    return parent->query(source, query);
}

gboolean segue_source_seek_parent(GstBaseSrc *source, GstSegment *segment) {
    GstBaseSrcClass *parent = (GstBaseSrcClass *)g_type_class_peek(GST_TYPE_BASE_SRC);
    return parent->do_seek(source, segment);
}

gboolean segue_query_is_scheduling(GstQuery *query) {
    return GST_QUERY_TYPE(query) == GST_QUERY_SCHEDULING;
}

void segue_source_class_describe(gpointer klass) {
    GstElementClass *element = (GstElementClass *)klass;
    gst_element_class_set_static_metadata(
        element, "Segue track source", "Source", "Reads a track that may still be arriving", "Segue"
    );
    gst_element_class_add_pad_template(
        element, gst_pad_template_new("src", GST_PAD_SRC, GST_PAD_ALWAYS, gst_caps_new_any())
    );
}

gboolean segue_source_is_pulled(GstBaseSrc *source) {
    return GST_PAD_MODE(GST_BASE_SRC_PAD(source)) == GST_PAD_MODE_PULL;
}

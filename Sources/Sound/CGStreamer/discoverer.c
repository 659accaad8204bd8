#include "shim.h"

GstDiscovererAudioInfo *segue_discoverer_first_audio(GstDiscovererInfo *info) {
    GList *list = gst_discoverer_info_get_audio_streams(info);
    GstDiscovererAudioInfo *first = list ? (GstDiscovererAudioInfo *)g_object_ref(list->data) : NULL;
    gst_discoverer_stream_info_list_free(list);
    return first;
}

GstTagList *segue_discoverer_tags(GstDiscovererInfo *info) {
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

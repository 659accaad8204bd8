#include "gstreamer_shim.h"

#include <gst/tag/tag.h>

static const char pipeline_key[] = "segue-pipeline";

static void note_pipeline(GstDiscoverer *discoverer, GstElement *source, gpointer data) {
    (void)data;
    GstObject *top = GST_OBJECT(gst_object_ref(source));
    for (GstObject *parent; (parent = gst_object_get_parent(top));) {
        gst_object_unref(top);
        top = parent;
    }
    g_object_set_data_full(G_OBJECT(discoverer), pipeline_key, top, gst_object_unref);
}

void segue_discoverer_note_pipeline(GstDiscoverer *discoverer) {
    g_signal_connect(discoverer, "source-setup", G_CALLBACK(note_pipeline), NULL);
}

static gpointer referred(gpointer object, gpointer data) {
    (void)data;
    return object ? gst_object_ref(object) : NULL;
}

static GstElement *noted_pipeline(GstDiscoverer *discoverer) {
    return g_object_dup_data(G_OBJECT(discoverer), pipeline_key, referred, NULL);
}

struct tasks {
    gboolean some_rest, some_run;
};

static void count_task(const GValue *value, gpointer data) {
    struct tasks *tasks = data;
    GstPad *pad = GST_PAD(g_value_get_object(value));
    GstTaskState state = gst_pad_get_task_state(pad);
    if (state == GST_TASK_STOPPED) return;
    // Demuxers pause their own task while they look for a position: its thread holds the lock until it has really
    // paused.
    if (state == GST_TASK_STARTED || !GST_PAD_STREAM_TRYLOCK(pad)) {
        tasks->some_run = TRUE;
        return;
    }
    GST_PAD_STREAM_UNLOCK(pad);
    tasks->some_rest = TRUE;
}

// A pipeline that changes while it is looked at does not rest.
static void count_tasks(GstIterator *iterator, GstIteratorForeachFunction each, struct tasks *tasks) {
    if (gst_iterator_foreach(iterator, each, tasks) != GST_ITERATOR_DONE) tasks->some_run = TRUE;
    gst_iterator_free(iterator);
}

static void count_tasks_of(const GValue *value, gpointer data) {
    count_tasks(gst_element_iterate_pads(GST_ELEMENT(g_value_get_object(value))), count_task, data);
}

gboolean segue_pipeline_is_idle(GstElement *pipeline) {
    struct tasks tasks = {FALSE, FALSE};
    if (GST_IS_BIN(pipeline)) count_tasks(gst_bin_iterate_recurse(GST_BIN(pipeline)), count_tasks_of, &tasks);
    return tasks.some_rest && !tasks.some_run;
}

gboolean segue_pipeline_rests(GstElement *pipeline) {
    // One that has reached its state has a result, which another thread is about to take.
    if (gst_element_get_state(pipeline, NULL, NULL, 0) != GST_STATE_CHANGE_ASYNC) return FALSE;
    return segue_pipeline_is_idle(pipeline);
}

gboolean segue_discoverer_rests(GstDiscoverer *discoverer) {
    GstElement *pipeline = noted_pipeline(discoverer);
    if (!pipeline) return FALSE;
    gboolean rests = segue_pipeline_rests(pipeline);
    gst_object_unref(pipeline);
    return rests;
}

void segue_discoverer_give_up(GstDiscoverer *discoverer) {
    GstElement *pipeline = noted_pipeline(discoverer);
    if (!pipeline) return;
    GST_ELEMENT_ERROR(pipeline, STREAM, DEMUX, (NULL), ("its threads have ended, or have taken too long"));
    gst_object_unref(pipeline);
}

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

gboolean segue_sample_is_front_cover(GstSample *sample) {
    const GstStructure *info = gst_sample_get_info(sample);
    gint type = -1;
    return info && gst_structure_get_enum(info, "image-type", GST_TYPE_TAG_IMAGE_TYPE, &type)
        && type == GST_TAG_IMAGE_TYPE_FRONT_COVER;
}

const char *segue_id3_genre(guint number) { return gst_tag_id3_genre_get(number); }

gboolean segue_tags_take_id3(GstTagList *tags, const guint8 *bytes, gsize size, gboolean alone) {
    GstBuffer *buffer = gst_buffer_new_memdup(bytes, size);
    GstTagList *found = gst_tag_list_from_id3v2_tag(buffer);
    gst_buffer_unref(buffer);
    if (!found) return FALSE;
    gst_tag_list_insert(tags, found, alone ? GST_TAG_MERGE_REPLACE_ALL : GST_TAG_MERGE_REPLACE);
    gst_tag_list_unref(found);
    return TRUE;
}

#include "gstreamer_shim.h"

/// Scales a buffer of floats; it takes ten milliseconds to get from one factor to another.
static GstPadProbeReturn volume_probe(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
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

SegueVolume *segue_add_volume(GstElement *element) {
    SegueVolume *volume = g_new0(SegueVolume, 1);
    volume->target = 1;
    GstPad *pad = gst_element_get_static_pad(element, "src");
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, volume_probe, volume, g_free);
    gst_object_unref(pad);
    return volume;
}

void segue_volume_set(SegueVolume *volume, float factor) {
    __atomic_store(&volume->target, &factor, __ATOMIC_RELEASE);
}

void segue_volume_begin(SegueVolume *volume, gint rate, gint channels) {
    volume->rate = rate;
    volume->channels = channels;
    __atomic_store_n(&volume->is_new, 1, __ATOMIC_RELEASE);
}

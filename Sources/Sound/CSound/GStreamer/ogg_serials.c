#include <string.h>

#include "gstreamer_shim.h"

// GStreamer's demuxer takes pages that begin a stream with the serial number of the one that it reads for more of that,
// and so loses the titles of stations whose parts all have one number, and their formats. Here every other one of such
// parts gets another number.

// - Source: RFC 3533, 6.
enum { length_of_head = 27, place_of_serial = 14, place_of_checksum = 22, place_of_count = 26, begins_stream = 2 };

typedef struct {
    /// The beginning of a page whose rest is still to come.
    GByteArray *rest;
    /// The difference between the numbers that come and those that are given.
    guint32 difference;
    /// The number that the first stream of the part was given.
    guint32 given;
    gboolean is_part_known;
    gboolean is_beginning;
} Serials;

static guint32 checksum(const guint8 *bytes, gsize count) {
    guint32 sum = 0;
    for (gsize place = 0; place < count; place++) {
        sum ^= (guint32)bytes[place] << 24;
        for (int bit = 0; bit < 8; bit++) sum = sum << 1 ^ (sum >> 31 ? 0x04C11DB7 : 0);
    }
    return sum;
}

static void renumber(Serials *serials, guint8 *page, gsize length) {
    guint32 serial = GST_READ_UINT32_LE(page + place_of_serial);
    gboolean begins = page[5] & begins_stream;
    if (begins && !serials->is_beginning) {
        if (serials->is_part_known && (serial ^ serials->difference) == serials->given) serials->difference ^= 1U << 31;
        serials->given = serial ^ serials->difference;
        serials->is_part_known = TRUE;
    }
    serials->is_beginning = begins;
    if (serials->difference == 0) return;
    GST_WRITE_UINT32_LE(page + place_of_serial, serial ^ serials->difference);
    GST_WRITE_UINT32_LE(page + place_of_checksum, 0);
    GST_WRITE_UINT32_LE(page + place_of_checksum, checksum(page, length));
}

/// Renumbers whole pages, and gives how many bytes they have with what lies between them.
static guint renumber_pages(Serials *serials) {
    guint8 *bytes = serials->rest->data;
    guint count = serials->rest->len, place = 0;
    while (count - place >= length_of_head) {
        guint8 *page = bytes + place;
        if (memcmp(page, "OggS", 4) != 0) {
            place++;
            continue;
        }
        guint length = length_of_head + page[place_of_count];
        if (count - place < length) break;
        for (guint segment = length_of_head; segment < length_of_head + (guint)page[place_of_count]; segment++)
            length += page[segment];
        if (count - place < length) break;
        renumber(serials, page, length);
        place += length;
    }
    return place;
}

static GstPadProbeReturn pass_pages(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)pad;
    Serials *serials = (Serials *)data;
    GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER(info);
    GstMapInfo map;
    if (GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_DISCONT)) g_byte_array_set_size(serials->rest, 0);
    if (!gst_buffer_map(buffer, &map, GST_MAP_READ)) return GST_PAD_PROBE_OK;
    g_byte_array_append(serials->rest, map.data, (guint)map.size);
    gst_buffer_unmap(buffer, &map);
    guint whole = renumber_pages(serials);
    if (whole == 0) return GST_PAD_PROBE_DROP;
    GstBuffer *pages = gst_buffer_new_memdup(serials->rest->data, whole);
    gst_buffer_copy_into(pages, buffer, GST_BUFFER_COPY_FLAGS | GST_BUFFER_COPY_TIMESTAMPS, 0, -1);
    g_byte_array_remove_range(serials->rest, 0, whole);
    gst_buffer_unref(buffer);
    info->data = pages;
    return GST_PAD_PROBE_OK;
}

static void release(gpointer data) {
    Serials *serials = (Serials *)data;
    g_byte_array_unref(serials->rest);
    g_free(serials);
}

void segue_tell_parts_apart(GstPad *pad) {
    Serials *serials = g_new0(Serials, 1);
    serials->rest = g_byte_array_new();
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, pass_pages, serials, release);
}

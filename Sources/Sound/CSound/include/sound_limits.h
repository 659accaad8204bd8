// Limits for what GStreamer makes of files and streams.
#pragma once
#include <gst/gst.h>
#include <gst/pbutils/pbutils.h>

const char *segue_factory_name(GstElementFactory *factory);

/// The element or bin that holds an element, to be unreferenced; NULL if there is none.
GstElement *segue_parent(GstElement *element);

/// Connects to a discoverer's signal, which is no element.
gulong segue_connect_discoverer(GstDiscoverer *discoverer, const char *signal, GCallback callback);

/// Makes GStreamer forget every element that opens URIs, but for those of the names given. Their plug-ins may be loaded
/// for something else later, which would bring them back; so those that are always loaded are loaded first.
void segue_forget_uri_sources(const char *const *kept);

/// Makes an element that reads audio CDs; NULL where its plug-in is missing. No address leads to it.
GstElement *segue_disc_source(void);

/// Sets the drive, and the track that is read.
void segue_disc_set_track(GstElement *disc, const char *device, guint track);

/// True if some element opens URIs of that scheme.
gboolean segue_opens(const char *scheme);

/// The code that refusals have in the domain GST_STREAM_ERROR, beside GStreamer's own.
enum { SEGUE_STREAM_ERROR_REFUSED = 1000 };

/// Has the element refuse raw sound beyond the limits before it takes memory for it: it posts an error that names them.
/// So it does with a stream that begins anew more than five times in a second of its sound. Three to eight channels
/// without a position for each get the usual ones.
void segue_limit_sound(
    GstElement *element, gint least_rate, gint most_rate, gint most_channels, gsize largest_buffer
);

/// The positions of channels that caps name, as GStreamer's mask of them; 0 where they name none.
guint64 segue_channel_mask(const GstStructure *structure);

/// Has short lists of pieces in DASH known as such: GStreamer 1.22 takes them for any XML.
void segue_know_dash(void);

/// Has WavPack of long blocks known as such.
void segue_know_wavpack(void);

// Limits for what GStreamer makes of pictures.
#pragma once
#include <gst/gst.h>

/// Has a decoder of pictures get memory for pictures of at most so many bytes, whatever size it finds: for a larger one
/// it fails before anything of it is decoded.
void segue_limit_picture(GstElement *decoder, gsize largest);

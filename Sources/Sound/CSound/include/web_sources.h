// Settings for all of GStreamer's sources for the web, also those that its elements make for themselves.
#pragma once
#include <gst/gst.h>

/// Prepares a source for the address that it is about to get; in any thread.
typedef void (*SegueWebSettings)(GstElement *source, const char *uri);

/// Has every web source prepared before it gets an address. The first call counts; it loads the source's plug-in.
void segue_set_up_web_sources(SegueWebSettings wanted);

// Moments in which a device had nothing to play in the middle of sound, though it was given some in time.
#pragma once
#include <gst/gst.h>

/// Knows of such moments; the sink's.
typedef struct SegueGapWatch SegueGapWatch;

/// Has elements of that name be those for ALSA whose writing can be watched; FALSE where there are none.
gboolean segue_gaps_register_alsa(const char *name);

/// Watches a sink from now on.
SegueGapWatch *segue_gaps_watch(GstElement *sink);

/// Says that what is given with that stamp need not join on to what is before it; in any thread.
void segue_gaps_excuse(SegueGapWatch *watch, GstClockTime stamp);

/// Says that the device stands still, or starts over; in any thread.
void segue_gaps_interrupt(SegueGapWatch *watch);

/// How many nanoseconds of sound were missing since this was asked last; 0 if none were. In any thread.
gint64 segue_gaps_take(SegueGapWatch *watch);

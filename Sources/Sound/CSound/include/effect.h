// Audio filters of GStreamer, fed and emptied by hand: without a pipeline, and without threads.
#pragma once
#include <gst/gst.h>

/// How an element suits.
typedef enum {
    /// One that filters sound.
    SEGUE_EFFECT_SUITS,
    /// None of that name is installed.
    SEGUE_EFFECT_MISSING,
    /// Something else than a filter of sound.
    SEGUE_EFFECT_OTHER,
} SegueEffectKind;

/// Looks an element up, without loading its plug-in. Filters have one input and one output, always there and of raw
/// sound alone, so that nothing is read, written or sent elsewhere.
SegueEffectKind segue_effect_kind(const char *factory);

/// Makes such an element, whose reference is the caller's; NULL where its plug-in can't be loaded.
GstElement *segue_effect_make(const char *factory);

/// Sets a number, a truth value or a choice. NULL when it is set; else why not, to be freed with g_free.
char *segue_effect_set(GstElement *element, const char *property, const char *value);

/// One element that filters floats of a fixed rate and number of channels.
typedef struct SegueEffect SegueEffect;

/// How an element is fed.
typedef enum {
    /// It doesn't take such sound.
    SEGUE_FEED_REFUSED,
    /// All channels at once, as floats.
    SEGUE_FEED_DIRECT,
    /// All channels at once, in samples of another kind.
    SEGUE_FEED_CONVERTED,
    /// One channel, so that there has to be an instance for each.
    SEGUE_FEED_CHANNELS,
} SegueFeed;

/// How an element takes sound.
SegueFeed segue_effect_feed(GstElement *element, gint rate, gint channels, guint64 mask);

/// Starts an element on the calling thread, which all that follows has to be called on. The element stays the caller's.
///
/// With `converts`, samples are brought to the element's kind and back.
SegueEffect *segue_effect_new(GstElement *element, gint rate, gint channels, guint64 mask, gboolean converts);

/// Pushes interleaved samples through, and waits until the element has done with them; FALSE when it has failed.
gboolean segue_effect_push(SegueEffect *effect, const float *samples, gsize count);

/// The samples that have come out since the last push; they are there until the next one.
const float *segue_effect_output(SegueEffect *effect, gsize *count);

/// Why it failed; NULL if it has not.
const char *segue_effect_error(SegueEffect *effect);

/// Stops the element.
void segue_effect_free(SegueEffect *effect);

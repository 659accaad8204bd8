#include "gstreamer_shim.h"

GstAudioConverter *segue_converter_new(
    GstAudioFormat from, gint from_rate, gint from_channels, GstAudioFormat to, gint to_rate, gint to_channels
) {
    GstAudioInfo input, output;
    gst_audio_info_set_format(&input, from, from_rate, from_channels, NULL);
    gst_audio_info_set_format(&output, to, to_rate, to_channels, NULL);
    // The best that the resampler has; it costs nothing where the rate stays.
    GstStructure *options = gst_structure_new_empty("options");
    gst_audio_resampler_options_set_quality(GST_AUDIO_RESAMPLER_METHOD_KAISER, 10, from_rate, to_rate, options);
    gst_structure_set(
        options, GST_AUDIO_CONVERTER_OPT_RESAMPLER_METHOD, GST_TYPE_AUDIO_RESAMPLER_METHOD,
        GST_AUDIO_RESAMPLER_METHOD_KAISER, NULL
    );
    return gst_audio_converter_new(GST_AUDIO_CONVERTER_FLAG_NONE, &input, &output, options);
}

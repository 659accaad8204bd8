// FFmpeg's functions, by their own names behind `ffmpeg()->`.
#pragma once
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavfilter/version.h>
#include <libavutil/channel_layout.h>
#include <libavutil/error.h>
#include <libavutil/frame.h>
#include <libavutil/log.h>
#include <libavutil/samplefmt.h>
#include <libavutil/version.h>

// Each function with the library that has it.
#define SEGUE_FFMPEG_FUNCTIONS(one) \
    one(filters, avfilter_graph_alloc) one(filters, avfilter_graph_free) one(filters, avfilter_get_by_name) \
    one(filters, avfilter_graph_create_filter) one(filters, avfilter_graph_parse2) \
    one(filters, avfilter_graph_config) one(filters, avfilter_link) one(filters, avfilter_inout_free) \
    one(filters, av_buffersrc_add_frame_flags) one(filters, av_buffersink_get_frame) \
    one(basics, av_frame_alloc) one(basics, av_frame_free) one(basics, av_frame_unref) \
    one(basics, av_frame_get_buffer) one(basics, av_channel_layout_from_mask) one(basics, av_channel_layout_default) \
    one(basics, av_channel_layout_describe) one(basics, av_channel_layout_copy) one(basics, av_channel_layout_uninit) \
    one(basics, av_strerror) one(basics, av_log_set_callback) one(basics, av_log_format_line2)

typedef struct {
#define SEGUE_DECLARE(library, name) __typeof__(&name) name;
    SEGUE_FFMPEG_FUNCTIONS(SEGUE_DECLARE)
#undef SEGUE_DECLARE
} SegueFFmpeg;

/// The functions; NULL where one of the libraries is missing.
const SegueFFmpeg *ffmpeg(void);

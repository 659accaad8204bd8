#include "filter_graph.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"

/// A piece of sound is far shorter; a graph that gives more has gone wrong.
static const size_t most_output = 16 << 20;

struct SegueGraph {
    AVFilterGraph *graph;
    AVFilterContext *source, *sink;
    AVFrame *input, *output;
    AVChannelLayout layout;
    int rate, channels;
    int64_t frames;
    float *samples;
    size_t count, capacity;
    char error[256];
};

// FFmpeg says why a graph is none in its log alone.

static _Thread_local char *complaint;
static _Thread_local size_t complaint_length;

/// Keeps the first error that the calling thread causes while it makes a graph; everything else goes nowhere.
static void note_line(void *sender, int level, const char *format, va_list arguments) {
    if (!complaint || level > AV_LOG_ERROR || complaint[0]) return;
    int is_start = 1;
    char line[256];
    ffmpeg()->av_log_format_line2(sender, level, format, arguments, line, sizeof line, &is_start);
    // "[Parsed_equalizer_0 @ 0x55d0c0] Option 'x' not found" without the sender.
    const char *text = line;
    while (*text == ' ' || (*text == '[' && strstr(text, " @ 0x") && strchr(text, ']'))) {
        text = *text == '[' ? strchr(text, ']') + 1 : text + 1;
    }
    size_t length = strcspn(text, "\r\n");
    if (length >= complaint_length) length = complaint_length - 1;
    memcpy(complaint, text, length);
    complaint[length] = 0;
}

static int fail(SegueGraph *self, int code) {
    if (!self->error[0]) ffmpeg()->av_strerror(code, self->error, sizeof self->error);
    return 0;
}

/// Makes the end behind which the sound is given, or that takes it.
static int make_end(
    SegueGraph *self, AVFilterContext **end, const char *filter, const char *name, const char *options
) {
    const SegueFFmpeg *library = ffmpeg();
    return library->avfilter_graph_create_filter(
        end, library->avfilter_get_by_name(filter), name, options, NULL, self->graph
    );
}

static int make_ends(SegueGraph *self, AVFilterContext **form) {
    char layout[64], options[256];
    if (ffmpeg()->av_channel_layout_describe(&self->layout, layout, sizeof layout) < 0) return AVERROR(EINVAL);
    snprintf(
        options, sizeof options, "sample_rate=%d:sample_fmt=flt:channel_layout=%s:time_base=1/%d", self->rate, layout,
        self->rate
    );
    int code = make_end(self, &self->source, "abuffer", "in", options);
    if (code >= 0) code = make_end(self, &self->sink, "abuffersink", "out", NULL);
    snprintf(
        options, sizeof options, "sample_fmts=flt:sample_rates=%d:channel_layouts=%s", self->rate, layout
    );
    // As it came, whatever the filters have made of it.
    if (code >= 0) code = make_end(self, form, "aformat", "form", options);
    return code < 0 ? code : ffmpeg()->avfilter_link(*form, 0, self->sink, 0);
}

/// Reads the graph, and puts it between the ends. Its own may have any labels, as with MPD.
static int parse(SegueGraph *self, const char *text) {
    const SegueFFmpeg *library = ffmpeg();
    AVFilterContext *form = NULL;
    int code = make_ends(self, &form);
    if (code < 0) return code;
    AVFilterInOut *inputs = NULL, *outputs = NULL;
    code = library->avfilter_graph_parse2(self->graph, text, &inputs, &outputs);
    if (code >= 0 && (!inputs || inputs->next || !outputs || outputs->next)) {
        snprintf(self->error, sizeof self->error, "a graph has one input and one output");
        code = AVERROR(EINVAL);
    }
    if (code >= 0) {
        code = library->avfilter_link(self->source, 0, inputs->filter_ctx, (unsigned)inputs->pad_idx);
    }
    if (code >= 0) code = library->avfilter_link(outputs->filter_ctx, (unsigned)outputs->pad_idx, form, 0);
    library->avfilter_inout_free(&inputs);
    library->avfilter_inout_free(&outputs);
    return code;
}

static int prepare(SegueGraph *self, const char *text, uint64_t mask) {
    const SegueFFmpeg *library = ffmpeg();
    self->graph = library->avfilter_graph_alloc();
    self->input = library->av_frame_alloc();
    self->output = library->av_frame_alloc();
    if (!self->graph || !self->input || !self->output) return AVERROR(ENOMEM);
    self->graph->nb_threads = 1;
    self->graph->thread_type = 0;
    if (self->channels > 2) library->av_channel_layout_from_mask(&self->layout, mask);
    if (self->layout.nb_channels != self->channels) library->av_channel_layout_default(&self->layout, self->channels);
    int code = parse(self, text);
    return code < 0 ? code : library->avfilter_graph_config(self->graph, NULL);
}

SegueGraph *segue_graph_new(const char *text, int rate, int channels, uint64_t mask, char *reason, size_t length) {
    const SegueFFmpeg *library = ffmpeg();
    if (!library) {
        snprintf(reason, length, "FFmpeg's filters are missing: install %s", segue_graph_package());
        return NULL;
    }
    SegueGraph *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->rate = rate;
    self->channels = channels;
    // GStreamer's decoders set another one, which is only for those that debug them.
    library->av_log_set_callback(note_line);
    char line[200] = "";
    complaint = line;
    complaint_length = sizeof line;
    int code = prepare(self, text, mask);
    complaint = NULL;
    if (code >= 0) return self;
    fail(self, code);
    snprintf(reason, length, "%s", line[0] ? line : self->error);
    segue_graph_free(self);
    return NULL;
}

static int keep(SegueGraph *self, const AVFrame *frame) {
    size_t count = (size_t)frame->nb_samples * (size_t)self->channels;
    if (frame->nb_samples < 0 || self->count + count > most_output) return AVERROR(ENOBUFS);
    if (self->count + count > self->capacity) {
        size_t capacity = (self->count + count) * 2;
        float *samples = realloc(self->samples, capacity * sizeof(float));
        if (!samples) return AVERROR(ENOMEM);
        self->samples = samples;
        self->capacity = capacity;
    }
    memcpy(self->samples + self->count, frame->data[0], count * sizeof(float));
    self->count += count;
    return 0;
}

/// Takes everything that is ready.
static int collect(SegueGraph *self) {
    for (;;) {
        int code = ffmpeg()->av_buffersink_get_frame(self->sink, self->output);
        if (code == AVERROR(EAGAIN)) return 1;
        if (code < 0) return fail(self, code);
        code = keep(self, self->output);
        ffmpeg()->av_frame_unref(self->output);
        if (code < 0) return fail(self, code);
    }
}

int segue_graph_push(SegueGraph *self, const float *samples, size_t count) {
    const SegueFFmpeg *library = ffmpeg();
    self->count = 0;
    if (self->error[0]) return 0;
    AVFrame *frame = self->input;
    frame->format = AV_SAMPLE_FMT_FLT;
    frame->sample_rate = self->rate;
    frame->nb_samples = (int)(count / (size_t)self->channels);
    frame->pts = self->frames;
    if (frame->nb_samples == 0) return 1;
    int code = library->av_channel_layout_copy(&frame->ch_layout, &self->layout);
    if (code >= 0) code = library->av_frame_get_buffer(frame, 0);
    if (code < 0) {
        library->av_frame_unref(frame);
        return fail(self, code);
    }
    memcpy(frame->data[0], samples, count * sizeof(float));
    self->frames += frame->nb_samples;
    code = library->av_buffersrc_add_frame_flags(self->source, frame, 0);
    library->av_frame_unref(frame);
    return code < 0 ? fail(self, code) : collect(self);
}

const float *segue_graph_output(SegueGraph *self, size_t *count) {
    *count = self->count;
    return self->samples;
}

const char *segue_graph_error(SegueGraph *self) { return self->error[0] ? self->error : NULL; }

void segue_graph_free(SegueGraph *self) {
    const SegueFFmpeg *library = ffmpeg();
    if (self->graph) library->avfilter_graph_free(&self->graph);
    if (self->input) library->av_frame_free(&self->input);
    if (self->output) library->av_frame_free(&self->output);
    library->av_channel_layout_uninit(&self->layout);
    free(self->samples);
    free(self);
}

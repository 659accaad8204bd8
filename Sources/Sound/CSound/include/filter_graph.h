// Graphs of FFmpeg's audio filters. The library is loaded when one is wanted, so that nothing depends on it; it is the
// one of the headers that this was built with.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// The package that brings the library, as Debian and Ubuntu call it.
const char *segue_graph_package(void);

/// True if the library can be loaded.
int segue_graph_is_available(void);

/// One graph that filters floats of a fixed rate and number of channels; it starts no threads.
typedef struct SegueGraph SegueGraph;

/// Makes a graph with one input and one output. `mask` has the positions of more than two channels, as WAVE files do.
///
/// NULL where the library is missing or the graph is none; `reason`, of `length` bytes, then says why.
SegueGraph *segue_graph_new(const char *text, int rate, int channels, uint64_t mask, char *reason, size_t length);

/// Pushes interleaved samples through; 0 when the graph has failed.
int segue_graph_push(SegueGraph *graph, const float *samples, size_t count);

/// The samples that have come out since the last push; they are there until the next one.
const float *segue_graph_output(SegueGraph *graph, size_t *count);

/// Why it failed; NULL if it has not.
const char *segue_graph_error(SegueGraph *graph);

void segue_graph_free(SegueGraph *graph);

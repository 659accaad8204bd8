// A fault of libsoup, through which GStreamer's web sources read.
#pragma once

/// Has libsoup close a response whose request has ended; to be called when a web source has been made.
///
/// Before 3.6.6 it takes the request's connection for closing, and that is gone when the request was cancelled between
/// the answer's head and its delivery: the process ended when a station was left at that moment. See
/// docs/decisions/0137-responses-that-were-not-taken.md.
void segue_close_ended_responses(void);

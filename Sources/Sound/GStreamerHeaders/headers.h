// Where GStreamer's headers are, by pkg-config; the C target CGStreamer includes them.
#pragma once

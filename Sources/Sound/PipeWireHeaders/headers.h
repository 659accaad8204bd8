// Where PipeWire's headers are, by pkg-config; the C target CPipeWire includes them.
#pragma once

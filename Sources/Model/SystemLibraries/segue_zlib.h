// Files that zlib compressed, read as streams.
#include <zlib.h>

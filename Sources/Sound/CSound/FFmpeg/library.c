#include "library.h"

#include <dlfcn.h>
#include <pthread.h>

#include "filter_graph.h"

// The number is that of the headers: another one would have other structures.
#define TEXT(number) #number
#define NUMBER(number) TEXT(number)

static SegueFFmpeg functions;
static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *basics = dlopen("libavutil.so." NUMBER(LIBAVUTIL_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL);
    void *filters = basics ? dlopen("libavfilter.so." NUMBER(LIBAVFILTER_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!filters) return;
    is_loaded = 1;
#define SEGUE_FIND(library, name) \
    *(void **)&functions.name = dlsym(library, #name); \
    if (!functions.name) is_loaded = 0;
    SEGUE_FFMPEG_FUNCTIONS(SEGUE_FIND)
#undef SEGUE_FIND
}

const SegueFFmpeg *ffmpeg(void) {
    pthread_once(&once, load);
    return is_loaded ? &functions : NULL;
}

const char *segue_graph_package(void) { return "libavfilter" NUMBER(LIBAVFILTER_VERSION_MAJOR); }

int segue_graph_is_available(void) { return ffmpeg() != NULL; }

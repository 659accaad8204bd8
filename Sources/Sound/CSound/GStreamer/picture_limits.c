#include "picture_limits.h"

// Decoders push the size of a picture before they take memory for it, but continue when that is refused: the error of a
// format is told with the first data. The answer to where memory comes from decides.

typedef struct {
    GstAllocator parent;
    gsize largest;
} SegueBoundedAllocator;
typedef struct {
    GstAllocatorClass parent_class;
} SegueBoundedAllocatorClass;

static GType segue_bounded_allocator_get_type(void);
G_DEFINE_TYPE(SegueBoundedAllocator, segue_bounded_allocator, GST_TYPE_ALLOCATOR)

static GstMemory *allocate(GstAllocator *allocator, gsize size, GstAllocationParams *parameters) {
    if (size > ((SegueBoundedAllocator *)allocator)->largest) return NULL;
    // The memory belongs to the system's allocator, which also frees it.
    return gst_allocator_alloc(NULL, size, parameters);
}

static void never_free(GstAllocator *allocator, GstMemory *memory) {
    (void)allocator;
    (void)memory;
}

static void segue_bounded_allocator_class_init(SegueBoundedAllocatorClass *class) {
    GstAllocatorClass *allocators = (GstAllocatorClass *)class;
    allocators->alloc = allocate;
    allocators->free = never_free;
}

static void segue_bounded_allocator_init(SegueBoundedAllocator *allocator) {
    GST_OBJECT_FLAG_SET(allocator, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
    ((GstAllocator *)allocator)->mem_type = "SegueBoundedMemory";
}

static GstPadProbeReturn answer_allocation(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)pad;
    GstQuery *query = GST_PAD_PROBE_INFO_QUERY(info);
    if (GST_QUERY_TYPE(query) != GST_QUERY_ALLOCATION) return GST_PAD_PROBE_OK;
    GstAllocationParams parameters;
    gst_allocation_params_init(&parameters);
    gst_query_add_allocation_param(query, (GstAllocator *)data, &parameters);
    return GST_PAD_PROBE_HANDLED;
}

void segue_limit_picture(GstElement *decoder, gsize largest) {
    GstPad *pad = gst_element_get_static_pad(decoder, "src");
    if (!pad) return;
    SegueBoundedAllocator *allocator = g_object_new(segue_bounded_allocator_get_type(), NULL);
    gst_object_ref_sink(allocator);
    allocator->largest = largest;
    gst_pad_add_probe(
        pad, (GstPadProbeType)(GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM | GST_PAD_PROBE_TYPE_PUSH), answer_allocation,
        allocator, gst_object_unref
    );
    gst_object_unref(pad);
}

#include "gstreamer_shim.h"

#include <string.h>

static SegueLogSink log_sink;

static GLogWriterOutput write_entry(GLogLevelFlags level, const GLogField *fields, gsize count, gpointer data) {
    // The process ends behind such a message, which has to be seen.
    if (level & (G_LOG_FLAG_FATAL | G_LOG_LEVEL_ERROR)) return g_log_writer_default(level, fields, count, data);
    const char *domain = "", *message = NULL;
    gssize length = 0;
    for (gsize index = 0; index < count; index++) {
        if (!strcmp(fields[index].key, "GLIB_DOMAIN")) domain = fields[index].value;
        if (!strcmp(fields[index].key, "MESSAGE")) {
            message = fields[index].value;
            length = fields[index].length;
        }
    }
    if (!message || g_log_writer_default_would_drop(level, domain)) return G_LOG_WRITER_HANDLED;
    log_sink(domain, message, length < 0 ? strlen(message) : (size_t)length);
    return G_LOG_WRITER_HANDLED;
}

void segue_log_to(SegueLogSink sink) {
    log_sink = sink;
    g_log_set_writer_func(write_entry, NULL, NULL);
}

#define _GNU_SOURCE
#include "web_responses.h"

#include <dlfcn.h>
#include <gio/gio.h>

// Nothing of libsoup is linked: GStreamer loads it when it makes the first web source.

static GType requests;
static gboolean (*close_response)(GInputStream *, GCancellable *, GError **);

/// True if a request still has its connection, which is the first member of what libsoup keeps for it.
static gboolean has_connection(GObject *request) {
    gint offset = g_type_class_get_instance_private_offset(g_type_class_peek(requests));
    return *(gpointer *)((guint8 *)request + offset) != NULL;
}

static gboolean close_connected(GInputStream *response, GCancellable *cancellable, GError **error) {
    GObject *request = NULL;
    g_object_get(response, "message", &request, NULL);
    // All that closing does is to end the use of the connection.
    gboolean is_over = request && !has_connection(request);
    g_clear_object(&request);
    return is_over || close_response(response, cancellable, error);
}

/// Replaces how responses are closed when the first request has ended: before the first response their class is not
/// there. FALSE, which ends the watching, once that is done.
static gboolean replace_closing(GSignalInvocationHint *hint, guint count, const GValue *values, gpointer data) {
    (void)hint;
    (void)count;
    (void)values;
    (void)data;
    static gsize replaced = 0;
    GType type = g_type_from_name("SoupClientInputStream");
    if (!type) return TRUE;
    if (!g_once_init_enter(&replaced)) return FALSE;
    GInputStreamClass *responses = G_INPUT_STREAM_CLASS(g_type_class_ref(type));
    if (responses->close_fn && g_object_class_find_property(G_OBJECT_CLASS(responses), "message")) {
        close_response = responses->close_fn;
        g_atomic_pointer_set(&responses->close_fn, close_connected);
    }
    g_once_init_leave(&replaced, 1);
    return FALSE;
}

void segue_close_ended_responses(void) {
    static gsize watched = 0;
    if (g_atomic_pointer_get(&watched)) return;
    void *library = dlopen("libsoup-3.0.so.0", RTLD_LAZY | RTLD_NOLOAD);
    if (!library || !g_once_init_enter(&watched)) return;
    GType (*request_type)(void) = NULL;
    gboolean (*is_version)(guint, guint, guint) = NULL;
    *(void **)&request_type = dlsym(library, "soup_message_get_type");
    *(void **)&is_version = dlsym(library, "soup_check_version");
    if (request_type && is_version && !is_version(3, 6, 6)) {
        requests = request_type();
        // A class brings its signals with it.
        g_type_class_ref(requests);
        guint signal = g_signal_lookup("finished", requests);
        if (signal) g_signal_add_emission_hook(signal, 0, replace_closing, NULL, NULL);
    }
    // The library stays for as long as the process lives, as GStreamer does.
    g_once_init_leave(&watched, 1);
}

// A request over libsoup that is cancelled after its response has come and before it is delivered. Exits with 0 when
// that is all that happens.
#include <gio/gio.h>

#include "web_responses.h"

// What is used of libsoup, whose headers need not be installed.
typedef struct Session Session;
typedef struct Message Message;
Session *soup_session_new(void);
Message *soup_message_new(const char *method, const char *address);
void soup_session_send_async(Session *, Message *, int, GCancellable *, GAsyncReadyCallback, gpointer);
GInputStream *soup_session_send_finish(Session *, GAsyncResult *, GError **);

static GCancellable *cancellable;
static int is_refused;

static void take(GObject *session, GAsyncResult *result, gpointer loop) {
    g_cancellable_cancel(cancellable);
    GError *error = NULL;
    GInputStream *response = soup_session_send_finish((Session *)session, result, &error);
    is_refused = !response && g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_clear_error(&error);
    g_main_loop_quit(loop);
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    segue_close_ended_responses();
    for (int round = 0; round < 3; ++round) {
        GMainLoop *loop = g_main_loop_new(NULL, FALSE);
        cancellable = g_cancellable_new();
        Session *session = soup_session_new();
        Message *message = soup_message_new("GET", arguments[1]);
        soup_session_send_async(session, message, 0, cancellable, take, loop);
        g_main_loop_run(loop);
        g_object_unref(message);
        while (g_main_context_iteration(NULL, FALSE)) {}
        g_object_unref(session);
        g_object_unref(cancellable);
        g_main_loop_unref(loop);
        if (!is_refused) return 1;
    }
    return 0;
}

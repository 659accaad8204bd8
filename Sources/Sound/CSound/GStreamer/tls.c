#include "tls.h"

typedef struct {
    /// Certificates that are trusted without an issuer.
    GList *known;
    SegueTLSRefusal *refusal;
} Check;

static gboolean tls_accepts(
    GTlsConnection *connection, GTlsCertificate *certificate, GTlsCertificateFlags faults, gpointer data
) {
    (void)connection;
    Check *check = (Check *)data;
    for (GList *item = check->known; item; item = item->next) {
        if (g_tls_certificate_is_same((GTlsCertificate *)item->data, certificate)) return TRUE;
    }
    check->refusal->faults = faults;
    return FALSE;
}

static gboolean handshake(GTlsConnection *tls, const char *trusted, SegueTLSRefusal *refusal, GError **error) {
    Check check = { NULL, refusal };
    if (trusted) {
        GTlsDatabase *database = g_tls_file_database_new(trusted, error);
        if (database) {
            g_tls_connection_set_database(tls, database);
            g_object_unref(database);
            check.known = g_tls_certificate_list_new_from_file(trusted, error);
        }
        refusal->is_unreadable = check.known == NULL;
        if (!check.known) return FALSE;
    }
    gulong handler = g_signal_connect(tls, "accept-certificate", G_CALLBACK(tls_accepts), &check);
    gboolean is_done = g_tls_connection_handshake(tls, NULL, error);
    g_signal_handler_disconnect(tls, handler);
    g_list_free_full(check.known, g_object_unref);
    return is_done;
}

GIOStream *segue_tls_connect(
    GIOStream *stream, const char *host, guint16 port, const char *trusted, SegueTLSRefusal *refusal, GError **error
) {
    GSocketConnectable *identity = g_network_address_new(host, port);
    GIOStream *made = g_tls_client_connection_new(stream, identity, error);
    g_object_unref(identity);
    if (!made) return NULL;
    // Icecast hangs up without a farewell.
    g_tls_connection_set_require_close_notify(G_TLS_CONNECTION(made), FALSE);
    if (handshake(G_TLS_CONNECTION(made), trusted, refusal, error)) return made;
    g_object_unref(made);
    return NULL;
}

gboolean segue_tls_is_there(void) { return g_tls_backend_supports_tls(g_tls_backend_get_default()); }

gboolean segue_tls_trust(const char *path, GError **error) {
    GTlsDatabase *database = g_tls_file_database_new(path, error);
    if (!database) return FALSE;
    g_tls_backend_set_default_database(g_tls_backend_get_default(), database);
    g_object_unref(database);
    return TRUE;
}

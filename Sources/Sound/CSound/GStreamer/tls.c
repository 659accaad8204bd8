#include "tls.h"

static gboolean tls_accepts(
    GTlsConnection *connection, GTlsCertificate *certificate, GTlsCertificateFlags faults, gpointer data
) {
    (void)connection;
    SegueTLS *tls = (SegueTLS *)data;
    for (GList *item = tls->known; item; item = item->next) {
        if (g_tls_certificate_is_same((GTlsCertificate *)item->data, certificate)) return TRUE;
    }
    tls->refusal = faults;
    return FALSE;
}

void segue_tls_free(SegueTLS *tls) {
    g_object_unref(tls->connection);
    g_list_free_full(tls->known, g_object_unref);
    g_free(tls);
}

SegueTLS *segue_tls_new(
    gint descriptor, const char *host, guint16 port, const char *trusted, guint seconds, GError **error
) {
    GSocket *socket = g_socket_new_from_fd(descriptor, error);
    if (!socket) return NULL;
    g_socket_set_timeout(socket, seconds);
    GSocketConnection *stream = g_socket_connection_factory_create_connection(socket);
    g_object_unref(socket);
    GSocketConnectable *identity = g_network_address_new(host, port);
    GIOStream *made = g_tls_client_connection_new(G_IO_STREAM(stream), identity, error);
    g_object_unref(identity);
    g_object_unref(stream);
    if (!made) return NULL;
    SegueTLS *tls = g_new0(SegueTLS, 1);
    tls->connection = G_TLS_CONNECTION(made);
    // Icecast hangs up without a farewell.
    g_tls_connection_set_require_close_notify(tls->connection, FALSE);
    if (trusted) {
        GTlsDatabase *database = g_tls_file_database_new(trusted, error);
        if (database) {
            g_tls_connection_set_database(tls->connection, database);
            g_object_unref(database);
            tls->known = g_tls_certificate_list_new_from_file(trusted, error);
        }
        if (!tls->known) {
            segue_tls_free(tls);
            return NULL;
        }
    }
    g_signal_connect(made, "accept-certificate", G_CALLBACK(tls_accepts), tls);
    return tls;
}

gboolean segue_tls_handshake(SegueTLS *tls, GError **error) {
    return g_tls_connection_handshake(tls->connection, NULL, error);
}

gssize segue_tls_write(SegueTLS *tls, const void *bytes, gsize count, GError **error) {
    GOutputStream *stream = g_io_stream_get_output_stream(G_IO_STREAM(tls->connection));
    return g_pollable_output_stream_write_nonblocking(G_POLLABLE_OUTPUT_STREAM(stream), bytes, count, NULL, error);
}

gssize segue_tls_read(SegueTLS *tls, void *bytes, gsize count, GError **error) {
    GInputStream *stream = g_io_stream_get_input_stream(G_IO_STREAM(tls->connection));
    return g_pollable_input_stream_read_nonblocking(G_POLLABLE_INPUT_STREAM(stream), bytes, count, NULL, error);
}

gboolean segue_error_is_would_block(const GError *error) {
    return g_error_matches(error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK);
}

gboolean segue_error_is_timeout(const GError *error) {
    return g_error_matches(error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
}

gboolean segue_tls_is_there(void) { return g_tls_backend_supports_tls(g_tls_backend_get_default()); }

gboolean segue_tls_trust(const char *path, GError **error) {
    GTlsDatabase *database = g_tls_file_database_new(path, error);
    if (!database) return FALSE;
    g_tls_backend_set_default_database(g_tls_backend_get_default(), database);
    g_object_unref(database);
    return TRUE;
}

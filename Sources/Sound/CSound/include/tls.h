// Encrypted connections by GIO, which GStreamer's web sources use too: one store of trusted certificates for all.
#pragma once
#include <gio/gio.h>

/// The client's end of an encrypted connection.
typedef struct {
    GTlsConnection *connection;
    /// Certificates that are trusted without an issuer.
    GList *known;
    /// The faults of the server's certificate, if it was refused.
    GTlsCertificateFlags refusal;
} SegueTLS;

void segue_tls_free(SegueTLS *tls);

/// Encrypts a connected socket, which it takes over; NULL with an error if that can't be begun.
///
/// With `trusted`, the path of a file of certificates, only those that they vouch for are trusted, and they themselves.
SegueTLS *segue_tls_new(
    gint descriptor, const char *host, guint16 port, const char *trusted, guint seconds, GError **error
);

/// Agrees with the server on the encryption; waits for it.
gboolean segue_tls_handshake(SegueTLS *tls, GError **error);

/// How many bytes were taken; -1 with an error.
gssize segue_tls_write(SegueTLS *tls, const void *bytes, gsize count, GError **error);

/// How many bytes came, 0 at the end; -1 with an error.
gssize segue_tls_read(SegueTLS *tls, void *bytes, gsize count, GError **error);

gboolean segue_error_is_would_block(const GError *error);

gboolean segue_error_is_timeout(const GError *error);

/// Whether this system can encrypt at all.
gboolean segue_tls_is_there(void);

/// Has everything trust the certificates of a file instead of the system's.
gboolean segue_tls_trust(const char *path, GError **error);

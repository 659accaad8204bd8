// Encrypted connections by GIO, which GStreamer's web sources use too: one store of trusted certificates for all.
#pragma once
#include <gio/gio.h>

/// The server's side of an encrypted connection that can't be made.
typedef struct {
    /// The faults of a certificate that was refused.
    GTlsCertificateFlags faults;
    /// The file of trusted certificates is of no use; the error is empty where it holds none.
    gboolean is_unreadable;
} SegueTLSRefusal;

/// Agrees with the server on the encryption of a stream, and checks its certificate; waits for it. NULL with an error,
/// or a refusal, if that fails.
///
/// With `trusted`, the path of a file of certificates, only those that they vouch for are trusted, and they themselves.
GIOStream *segue_tls_connect(
    GIOStream *stream, const char *host, guint16 port, const char *trusted, SegueTLSRefusal *refusal, GError **error
);

/// True if this system can encrypt at all.
gboolean segue_tls_is_there(void);

/// Has everything trust the certificates of a file instead of the system's.
gboolean segue_tls_trust(const char *path, GError **error);

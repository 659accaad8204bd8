package import Foundation
package import MPDSessions
package import Subsonic

/// The questions of the checks to what is outside of the configuration, each asked once.
///
/// The composition fills them in. Errors that they throw are findings, so their texts name the cause and the cure.
package struct ConfigurationProbes: Sendable {
    /// A part that works, as it describes itself.
    package struct Description: Sendable {
        /// When it stops being valid.
        package var expiry: Date
        /// Warnings, each a sentence.
        package var warnings: [String]

        /// Describes it.
        package init(expiry: Date, warnings: [String]) { (self.expiry, self.warnings) = (expiry, warnings) }
    }

    /// A part of GStreamer that is missing.
    package struct MissingElement: Sendable {
        /// The feature, the element, and the package that brings it, in a sentence.
        package var text: String
        /// True if nothing at all plays without it.
        package var isEssential: Bool

        /// Names one.
        package init(_ text: String, isEssential: Bool) { (self.text, self.isEssential) = (text, isEssential) }
    }

    /// Reads the certificate and its key.
    package var certificate: @Sendable (CertificateFiles) async throws -> Description
    /// Makes a client of the server of the library; nil without one.
    package var server: @Sendable () throws -> SubsonicClient?
    /// Why nothing can be played at all; nil when something can.
    package var audioFailure: @Sendable () -> String?
    /// The parts of GStreamer that are missing, in the order of importance.
    package var missingElements: @Sendable () -> [MissingElement]

    /// Gathers the questions.
    package init(
        certificate: @escaping @Sendable (CertificateFiles) async throws -> Description,
        server: @escaping @Sendable () throws -> SubsonicClient?,
        audioFailure: @escaping @Sendable () -> String?,
        missingElements: @escaping @Sendable () -> [MissingElement]
    ) {
        (self.certificate, self.server) = (certificate, server)
        (self.audioFailure, self.missingElements) = (audioFailure, missingElements)
    }
}

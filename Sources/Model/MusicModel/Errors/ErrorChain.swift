import Foundation

/// An error and those beneath it, in one line for the log, the uppermost first: `Can't save the queue
/// [Partitions/StateSaver.swift:88] <- SQLite error 13: disk is full`. Texts that stand above already are not repeated,
/// and user names, passwords and queries of URLs are left out.
package struct ErrorChain: CustomStringConvertible, Sendable {
    static let depthLimit = 8
    static let textLimit = 1_000

    /// The errors, from the uppermost to the first one.
    package let errors: [any Error]

    /// Follows the causes of an error.
    package init(_ error: any Error) {
        var errors = [error]
        while errors.count < Self.depthLimit, let cause = Self.cause(of: errors[errors.count - 1]) {
            errors.append(cause)
        }
        self.errors = errors
    }

    package var description: String {
        var links: [String] = []
        for error in errors {
            let text = Self.text(of: error)
            guard !links.contains(where: { $0.contains(text) }) else { continue }
            links.append((error as? any ChainedError).map { "\(text) [\($0.origin.place)]" } ?? text)
        }
        return links.joined(separator: " <- ")
    }

    private static func cause(of error: any Error) -> (any Error)? {
        if let error = error as? any ChainedError { return error.origin.cause }
        return isFoundations(error) ? (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error : nil
    }

    private static func text(of error: any Error) -> String {
        var text = withoutSecrets(isFoundations(error) ? foundationsText(error as NSError) : "\(error)")
        if text.utf8.count > textLimit { text = text.prefix(utf8: textLimit) + "…" }
        return text
    }

    private static func isFoundations(_ error: any Error) -> Bool {
        error is CocoaError || error is POSIXError || type(of: error) is NSError.Type
    }

    /// The file and the system's reason, without the domains and dictionaries of Foundation's description.
    private static func foundationsText(_ error: NSError) -> String {
        let reason =
            error.domain == NSPOSIXErrorDomain
            ? String(cString: strerror(Int32(truncatingIfNeeded: error.code)))
            : error.localizedDescription.replacing("The operation could not be completed. ", with: "")
        return (error.userInfo[NSFilePathErrorKey] as? String).map { "\($0): \(reason)" } ?? reason
    }

    private static func withoutSecrets(_ text: String) -> String {
        guard text.contains("://") else { return text }
        return text.replacing(/(:\/\/)(?:[^\s\/?#"]*@)?([^\s?#"]*)(\?[^\s"]*)?/) { match in
            "\(match.1)\(match.2)" + (match.3 == nil ? "" : "?…")
        }
    }
}

extension DefaultStringInterpolation {
    /// Writes an error with those beneath it, for a line of the log: `"The queue can't be saved: \(chain: error)"`.
    package mutating func appendInterpolation(chain error: any Error) { appendLiteral(ErrorChain(error).description) }
}

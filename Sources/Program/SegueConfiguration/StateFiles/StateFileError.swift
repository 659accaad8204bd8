import Foundation
package import MusicModel

/// The error of a file or folder of the state, with the cause and the cure in one line.
package struct StateFileError: ChainedError {
    /// The line.
    package let message: String
    package let origin: ErrorOrigin

    /// Makes an error from a line that names the cause and the cure.
    package init(
        _ message: String, cause: (any Error)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.message = message
        origin = ErrorOrigin(cause, file: file, line: line)
    }

    /// The line.
    package var description: String { message }
}

/// The system's own words for a failed file operation, without Foundation's decoration.
package func systemMessage(_ error: any Error) -> String {
    let error = error as NSError
    if let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError, underlying.domain == NSPOSIXErrorDomain {
        return String(cString: strerror(Int32(underlying.code)))
    }
    return error.domain == NSPOSIXErrorDomain
        ? String(cString: strerror(Int32(error.code))) : error.localizedDescription
}

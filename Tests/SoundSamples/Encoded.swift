import Foundation

/// Makes files of other programs.
package enum Encoded {
    /// Runs ffmpeg, which has to succeed.
    package static func ffmpeg(_ arguments: [String]) throws {
        let made = Process()
        made.executableURL = URL(filePath: "/usr/bin/env")
        made.arguments = ["ffmpeg", "-nostdin", "-loglevel", "error", "-y"] + arguments
        try made.run()
        made.waitUntilExit()
        guard made.terminationStatus == 0 else { throw UnusableSample("ffmpeg \(arguments.joined(separator: " "))") }
    }
}

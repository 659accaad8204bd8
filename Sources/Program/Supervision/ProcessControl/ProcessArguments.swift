import Foundation

/// The words of the command line as the system keeps them.
///
/// Swift finds them by the address of the environment. Where a preloaded library has set a variable, that is another
/// one, and Swift finds none.
package enum ProcessArguments {
    /// All of them, with the program's name.
    package static let all: [String] = {
        guard let bytes = FileManager.default.contents(atPath: "/proc/self/cmdline"), bytes.last == 0 else {
            return CommandLine.arguments
        }
        return read(bytes)
    }()

    /// Splits what the system has: each word with a zero behind it.
    static func read(_ bytes: Data) -> [String] {
        bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}

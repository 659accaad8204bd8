/// The settings of an `mpd.conf`, as they stand in the file and the files that it includes.
///
/// - Source: MPD v0.24.13 src/config/File.cxx; names are kept as written, known or not.
package struct MPDSettings: Sendable {
    /// A setting outside of a block: `name "value"`.
    package struct Parameter: Hashable, Sendable {
        /// As it stands in the file, known to MPD or not.
        package var name: String
        /// Its value without quotes.
        package var value: String
        /// Where it stands.
        package var place: Place
    }

    /// A block: `name { … }`.
    package struct Block: Hashable, Sendable {
        /// Its name, such as `audio_output`.
        package var name: String
        /// Its parameters, in their order.
        package var parameters: [Parameter] = []
        /// Where it begins.
        package var place: Place

        /// The value of a parameter; nil where it is missing.
        package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }
    }

    /// A line of a file.
    package struct Place: Hashable, Sendable, CustomStringConvertible {
        /// The file's path.
        package var file: String
        /// The line, from 1.
        package var line: Int

        package var description: String { "\(file):\(line)" }
    }

    /// All parameters in their order; of one that may stand only once the last counts.
    package var parameters: [Parameter] = []
    /// All blocks in their order.
    package var blocks: [Block] = []
    /// Lines that could not be read, each as a sentence with its place. MPD would not start with them.
    package var problems: [String] = []

    /// Makes empty settings.
    package init() {}

    /// The last value of a parameter; nil where it is missing.
    package subscript(name: String) -> String? { parameters.last { $0.name == name }?.value }

    /// All values of a parameter that may stand several times.
    package func values(_ name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }
}

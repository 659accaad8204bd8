/// A value of the configuration with its position, so that every complaint can name it.
package struct Node {
    /// The value as it was written.
    indirect enum Value {
        case string(String)
        case integer(Int)
        case number(Double)
        case boolean(Bool)
        case array([Node])
        case table([String: Node])
        /// From the environment, where everything is text.
        case text(String)
    }

    /// The value as it was written.
    var value: Value
    /// The key with its sections, such as `server.listen`.
    var path: String
    /// The line in the file, counted from 1.
    var line: Int?
    /// The environment variable that the value comes from.
    var variable: String?
    /// The file that the value comes from, where that is not the configuration file.
    var file: String?

    /// The value in words; strings are quoted unless they may be secrets.
    func found(isSecret: Bool) -> String {
        switch value {
        case .string(let text), .text(let text): isSecret ? "a text" : "\"\(text)\""
        case .integer(let number): isSecret ? "a number" : "the number \(number)"
        case .number(let number): isSecret ? "a number" : "the number \(number)"
        case .boolean(let flag): "\(flag)"
        case .array: "a list"
        case .table: "a section"
        }
    }
}

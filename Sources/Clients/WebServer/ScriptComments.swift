import Foundation

/// Takes out of the page's modules what only people read: a fifth of what a first visit takes (decision 48). Checking
/// whole lines is enough, as the modules' comments have separate lines. Any other code stays as it is.
enum ScriptComments {
    /// The text without lines of comment, indentation and empty lines. A module with a string of several lines is left
    /// alone, as its lines could look like comments.
    static func removed(from module: String) -> String {
        let lines = module.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.allSatisfy({ $0.utf8.count { $0 == UInt8(ascii: "`") } % 2 == 0 }) else { return module }
        var kept: [Substring] = []
        kept.reserveCapacity(lines.count)
        var isInComment = false
        for line in lines {
            let code = line.drop { $0 == " " || $0 == "\t" }
            if isInComment {
                // Code behind the end of a comment is not how the modules are written.
                if code.hasSuffix("*/") { isInComment = false } else if code.contains("*/") { return module }
            } else if code.hasPrefix("/**") {
                guard let end = code.firstRange(of: "*/") else {
                    isInComment = true
                    continue
                }
                let rest = code[end.upperBound...].drop { $0 == " " }
                if !rest.isEmpty { kept.append(rest) }
            } else if !code.isEmpty, !code.hasPrefix("//") {
                kept.append(code)
            }
        }
        return isInComment ? module : kept.joined(separator: "\n") + "\n"
    }
}

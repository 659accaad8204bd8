import MusicModel

extension String {
    /// The beginning of another program's words, fit for a sentence: one line, without signs that control a terminal,
    /// turn the direction of writing around or can't be seen.
    ///
    /// - Parameter limit: the most bytes that it takes.
    package func quotable(utf8 limit: Int) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in prefix(utf8: limit).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: scalars.append(" ")
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }
}

import MusicModel

extension String {
    /// The text in double quotes with escapes, as libfmt's `{:?}` writes it in several of MPD's errors.
    package var quoted: String {
        var result = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            default:
                if scalar.isPrintable { result.unicodeScalars.append(scalar) } else { result += scalar.hexEscape }
            }
        }
        return result + "\""
    }
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        if isASCII { return value >= 0x20 && value != 0x7F }
        return switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            false
        default: true
        }
    }

    fileprivate var hexEscape: String {
        let (letter, width) = value < 0x100 ? ("x", 2) : value < 0x10000 ? ("u", 4) : ("U", 8)
        return "\\" + letter + value.padded(to: width, radix: 16)
    }
}

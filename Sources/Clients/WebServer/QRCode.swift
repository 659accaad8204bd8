import CQREncode

/// A text as a picture that phones can read.
package struct QRCode: Sendable {
    /// How many modules each edge has.
    package let size: Int
    private let dark: [Bool]

    /// How wide the empty edge is, in modules; scanners need it.
    private static let quietZone = 4

    /// Encodes a text; nil for one that is too long.
    package init?(_ text: String) {
        guard text.utf8.count < 1000, let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        let size = Int(code.pointee.width)
        self.size = size
        dark = (0..<size * size).map { code.pointee.data[$0] & 1 == 1 }
    }

    private func isDark(_ row: Int, _ column: Int) -> Bool {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
        return dark[row * size + column]
    }

    /// Black on white, whatever the page's colours are.
    package var svg: String {
        let edge = size + 2 * Self.quietZone
        var path = ""
        for row in 0..<size {
            for column in 0..<size where isDark(row, column) {
                path += "M\(column + Self.quietZone) \(row + Self.quietZone)h1v1h-1z"
            }
        }
        return
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(edge) \(edge)\" shape-rendering=\"crispEdges\">"
            + "<path fill=\"#fff\" d=\"M0 0h\(edge)v\(edge)H0z\"/><path d=\"\(path)\"/></svg>"
    }

    /// Half blocks for a terminal, two rows a line, black on white by escape sequences.
    package var halfBlocks: String {
        var text = ""
        for row in stride(from: -Self.quietZone, to: size + Self.quietZone, by: 2) {
            text += "\u{1B}[30;47m"
            for column in -Self.quietZone..<size + Self.quietZone {
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (true, true): text += "█"
                case (true, false): text += "▀"
                case (false, true): text += "▄"
                case (false, false): text += " "
                }
            }
            text += "\u{1B}[0m\n"
        }
        return text
    }
}

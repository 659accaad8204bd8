package import MusicModel

/// Which part of each channel that comes goes into each channel that leaves.
package struct ChannelMatrix: Hashable, Sendable {
    struct Part: Hashable, Sendable {
        var source: Int
        var factor: Float
    }

    let sources: Int
    let rows: [[Part]]

    /// How many channels leave.
    package var targets: Int { rows.count }
    var isIdentity: Bool { sources == targets && rows.indices.allSatisfy { rows[$0] == [Part(source: $0, factor: 1)] } }

    /// Takes the factors of each channel that leaves, one for each that comes. Where they would add up to more than
    /// full scale, all of them are made smaller alike.
    init(_ factors: [[Double]], sources: Int) {
        self.sources = sources
        let loudest = factors.map { $0.reduce(0) { $0 + abs($1) } }.max() ?? 0
        let scale = max(1, loudest)
        rows = factors.map { row in
            row.indices.filter { row[$0] != 0 }.map { Part(source: $0, factor: Float(row[$0] / scale)) }
        }
    }

    private var factors: [[Double]] {
        rows.map { row in
            var factors = [Double](repeating: 0, count: sources)
            for part in row { factors[part.source] = Double(part.factor) }
            return factors
        }
    }

    func then(_ next: ChannelMatrix) -> ChannelMatrix {
        let (first, second) = (factors, next.factors)
        let product = second.map { row in
            (0..<sources).map { source in
                zip(row, first).reduce(0) { $0 + $1.0 * $1.1[source] }
            }
        }
        return ChannelMatrix(product, sources: sources)
    }

    /// Computes the channels that leave of interleaved ones.
    package func apply(to samples: [Float]) -> [Float] {
        let frames = samples.count / sources
        guard frames > 0 else { return [] }
        return [Float](unsafeUninitializedCapacity: frames * targets) { output, count in
            samples.withUnsafeBufferPointer { input in
                for (target, row) in rows.enumerated() {
                    var (from, to) = (0, target)
                    for _ in 0..<frames {
                        var sum: Float = 0
                        for part in row { sum += input[from + part.source] * part.factor }
                        output.initializeElement(at: to, to: sum)
                        from += sources
                        to += targets
                    }
                }
            }
            count = frames * targets
        }
    }
}

extension ChannelMatrix {
    /// -3 dB, as ITU-R BS.775 has it for the centre and the surrounds.
    static let half = 0.5.squareRoot()

    /// Brings sound to another number of channels. Fewer: what a speaker would play that is missing goes to its
    /// neighbours, by ITU-R BS.775: the centre and the surrounds into the fronts at -3 dB, low frequencies left out;
    /// and all of it softer, so that nothing clips. More: the channels that come, and silence; mono on both fronts.
    package static func between(_ sources: Int, _ targets: Int) -> ChannelMatrix {
        let layout = Speaker.layout(channels: targets)
        guard sources > 1 else {
            return ChannelMatrix(
                layout.map { targets == 1 || $0 == .frontLeft || $0 == .frontRight ? [1] : [0] }, sources: 1)
        }
        return mixing(Speaker.layout(channels: sources).map { (speaker: $0, factor: 1) }, targets)
    }

    /// Brings channels that are meant for some speakers, each with a factor, to the layout of `targets` channels.
    /// - Parameter sources: the speakers in the order of the channels; nil is one that nothing is known of.
    static func mixing(_ sources: [(speaker: Speaker?, factor: Double)], _ targets: Int) -> ChannelMatrix {
        guard targets > 1 else {
            let fronts = mixing(sources, 2)
            return fronts.then(ChannelMatrix([[0.5, 0.5]], sources: 2))
        }
        let layout = Speaker.layout(channels: targets)
        let present = Set(sources.compactMap(\.speaker))
        var factors = [[Double]](repeating: Array(repeating: 0, count: sources.count), count: targets)
        for (index, source) in sources.enumerated() {
            guard let speaker = source.speaker else { continue }
            for (home, factor) in homes(of: speaker, in: layout, beside: present) {
                guard let row = layout.firstIndex(of: home) else { continue }
                factors[row][index] += factor * source.factor
            }
        }
        return ChannelMatrix(factors, sources: sources.count)
    }

    private static func homes(
        of speaker: Speaker, in layout: [Speaker], beside others: Set<Speaker>
    ) -> [(Speaker, Double)] {
        if layout.contains(speaker) { return [(speaker, 1)] }
        func neighbour(_ near: Speaker, _ front: Speaker) -> [(Speaker, Double)] {
            layout.contains(near) ? [(near, others.contains(near) ? half : 1)] : [(front, half)]
        }
        switch speaker {
        case .lowFrequency, .frontLeft, .frontRight: return []
        case .frontCenter: return [(.frontLeft, half), (.frontRight, half)]
        case .rearLeft: return neighbour(.sideLeft, .frontLeft)
        case .rearRight: return neighbour(.sideRight, .frontRight)
        case .sideLeft: return neighbour(.rearLeft, .frontLeft)
        case .sideRight: return neighbour(.rearRight, .frontRight)
        case .rearCenter:
            if layout.contains(.rearLeft) { return [(.rearLeft, half), (.rearRight, half)] }
            return [(.frontLeft, half * half), (.frontRight, half * half)]
        }
    }

    /// Sends channels as a route says, in like parts. A route of two channels gets a song's stereo, or its mono twice.
    package static func routing(_ route: ChannelRoute, _ sources: Int, targets: Int) -> ChannelMatrix {
        let looked = max(2, route.sources > 2 ? sources : 2)
        var factors = [[Double]](repeating: Array(repeating: 0, count: looked), count: max(targets, route.targets))
        for entry in route.entries where entry.source < looked { factors[entry.target][entry.source] = 1 }
        let routed = ChannelMatrix(factors, sources: looked)
        return looked == sources ? routed : between(sources, looked).then(routed)
    }
}

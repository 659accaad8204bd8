import AudioFiles
import Outputs

/// Brings blocks to the channels that an output gets, before any filter hears them; without a route, stereo and mono
/// songs pass as they are.
struct OutputChannels {
    private let specification: OutputSpecification
    /// The layout that came last, and what is done to it; nil is nothing.
    private var known: (layout: SampleLayout, matrix: ChannelMatrix?)?

    init(_ specification: OutputSpecification) { self.specification = specification }

    mutating func forget() { known = nil }

    mutating func arrange(_ block: inout SampleBlock, for driver: any OutputDriver) {
        guard block.layout.channels > 2 || specification.route != nil else { return }
        if known?.layout != block.layout { known = (block.layout, matrix(block.layout, driver)) }
        guard let matrix = known?.matrix else { return }
        block.change { $0 = matrix.apply(to: $0) }
        block.layout.channels = matrix.targets
    }

    private func matrix(_ layout: SampleLayout, _ driver: any OutputDriver) -> ChannelMatrix? {
        let wanted = specification.channels(for: layout.channels, rate: layout.rate)
        if let route = specification.route { return ChannelMatrix.routing(route, layout.channels, targets: wanted) }
        let taken = driver.channels(for: SampleLayout(rate: layout.rate, channels: wanted))
        return taken == layout.channels ? nil : ChannelMatrix.between(layout.channels, taken)
    }
}

import MusicModel

/// Notices when another title plays.
struct TitleFollower {
    private let isFollowing: Bool
    private(set) var tags: [TagValue] = []

    /// - Parameter isFollowing: whether titles count at all.
    init(isFollowing: Bool) { self.isFollowing = isFollowing }

    /// The tags of the block when they are not those of the block before.
    mutating func newTags(of block: SampleBlock) -> [TagValue]? {
        guard isFollowing, !block.tags.isEmpty, block.tags != tags else { return nil }
        tags = block.tags
        return tags
    }
}

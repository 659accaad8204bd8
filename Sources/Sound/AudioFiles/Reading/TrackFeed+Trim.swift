import CSound

extension TrackFeed {
    /// The samples to trim of what a pipeline decodes of the file.
    package func trim(in pipeline: PipelineReference) -> TrackTrim? {
        guard var trim else { return nil }
        // This decoder keeps the first frame back and stamps what follows as if it had not.
        if segue_bin_has(pipeline.element.pointer, "faad") != 0 {
            let missing = max(0, Self.faadDelay - trim.skip)
            trim.skip = max(0, trim.skip - Self.faadDelay)
            trim.frames = trim.frames.map { max(0, $0 - missing) }
        }
        return trim
    }

    private static let faadDelay: Int64 = 1024
}

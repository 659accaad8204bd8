/// The loudness of a song's beginning and end, by its tags or as it was measured, for MixRamp.
package struct MixRampTags: Hashable, Sendable {
    /// `MIXRAMP_START`: how loud it is at times after its start.
    package var start: String?
    /// `MIXRAMP_END`: how loud it is at times before its end.
    package var end: String?

    /// Names what is known; nothing by default.
    package init(start: String? = nil, end: String? = nil) { (self.start, self.end) = (start, end) }

    /// How many seconds a profile takes to reach a loudness; nil if it never does. A profile is pairs of decibels and
    /// seconds such as `-24.0 0.2;-18.0 1.1;`, growing louder; between two pairs the time is interpolated.
    package static func seconds(in profile: String, decibels: Double) -> Double? {
        var quieter: (decibels: Double, seconds: Double)?
        for pair in profile.split(separator: ";") {
            let words = pair.split(separator: " ").map { Double($0) }
            guard words.count == 2, let level = words[0], let time = words[1], level.isFinite, time.isFinite else {
                return nil
            }
            if level == decibels { return time }
            if level > decibels {
                guard let quieter else { return time }
                let share = (decibels - quieter.decibels) / (level - quieter.decibels)
                return quieter.seconds + share * (time - quieter.seconds)
            }
            quieter = (level, time)
        }
        return nil
    }
}

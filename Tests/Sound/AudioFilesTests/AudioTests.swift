import Testing

/// All suites of real pipelines, one test at a time: several at once would disturb each other's timing.
@Suite(.serialized)
enum AudioTests {}

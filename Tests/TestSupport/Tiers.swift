import Foundation

/// Whether the run is one of everything (`contrib/test --all`), with tests that take long or that measure:
/// `@Test("…", .enabled(if: testsEverything))`. Every other test is part of each run.
package let testsEverything = ProcessInfo.processInfo.environment["SEGUE_TEST_ALL"] == "1"

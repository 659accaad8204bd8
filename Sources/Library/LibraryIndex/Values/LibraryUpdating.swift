/// The operations of a client's `update`; implemented by the sync.
package protocol LibraryUpdating: AnyObject, Sendable {
    /// Starts an update of `uri` (empty: everything) and returns its job number, at once; a waiting job is joined.
    /// - Returns: nil when the waiting job has no room; for everything it always has.
    func startUpdate(uri: String, rescan: Bool) -> Int?
    /// The number of the job that runs now, for `updating_db`; nil when none does.
    var runningJob: Int? { get }
}

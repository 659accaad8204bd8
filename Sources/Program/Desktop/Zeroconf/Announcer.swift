import Coordination
package import Logging
import Supervision
import Synchronization

/// Announces services on the network by Avahi, so that clients find them.
///
/// Without Avahi nothing happens, and nothing wakes up; a bus that is not there is tried again, less and less often.
/// When Avahi or the bus comes back, services are announced again; when a name is taken, they get another one that
/// Avahi suggests.
package struct Announcer: Sendable {
    private let announcements: [Announcement]
    private let log: Logger

    /// Names the services; none of them is announced yet.
    package init(_ announcements: [Announcement], log: Logger) {
        self.announcements = announcements
        self.log = log
    }

    /// Announces the services until the task is cancelled.
    ///
    /// It works on a thread of its own, which sleeps unless D-Bus has something to tell.
    @concurrent
    package func run() async {
        guard !announcements.isEmpty else { return }
        let loop = BusLoop()
        let (announcements, log) = (announcements, log)
        await withTaskCancellationHandler {
            await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
                let isStarted = loop.start("zeroconf") {
                    let client = AvahiClient(announcements, loop: loop, log: log)
                    client.connect()
                    loop.run()
                    client.disconnect()
                    ended.resume()
                }
                if !isStarted {
                    log.warning("Services are not announced: \(BlockingThread.missing)")
                    ended.resume()
                }
            }
        } onCancel: {
            loop.end()
        }
    }
}

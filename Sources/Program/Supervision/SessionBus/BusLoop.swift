import CGIO
import Coordination
import Foundation

/// GLib's main loop on a thread of its own.
///
/// `@unchecked Sendable`: the pointers are made once and freed with the last reference; GLib lets any thread use its
/// loops and contexts.
package final class BusLoop: @unchecked Sendable {
    private let context: OpaquePointer
    private let loop: OpaquePointer

    /// Makes a loop that does not run yet.
    package init() {
        context = g_main_context_new()
        loop = g_main_loop_new(context, 0)
    }

    deinit {
        g_main_loop_unref(loop)
        g_main_context_unref(context)
    }

    /// Runs `body` on a new thread of this name, whose D-Bus events come to this loop; false if there is no such
    /// thread.
    package func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        BlockingThread.start(name) { [self] in
            g_main_context_push_thread_default(context)
            body()
            g_main_context_pop_thread_default(context)
        }
    }

    /// Waits for events until `end`; on the loop's thread.
    package func run() { g_main_loop_run(loop) }

    /// Ends `run`, also when that begins later; on any thread.
    package func end() {
        perform { [self] in g_main_loop_quit(loop) }
    }

    /// Runs `body` on the loop's thread, in the order of the calls; on any thread. Work that is given before `run`
    /// waits for it; after its end nothing is run.
    package func perform(_ body: @escaping @Sendable () -> Void) {
        let source = g_idle_source_new()
        g_source_set_priority(source, G_PRIORITY_DEFAULT)
        attach(source, body)
    }

    /// Runs `body` on the loop's thread after a pause, unless the loop has ended by then; only on the loop's thread.
    package func after(_ pause: Duration, _ body: @escaping () -> Void) {
        attach(g_timeout_source_new_seconds(UInt32(clamping: max(1, pause.components.seconds))), body)
    }

    /// Has the loop run `body` once, when the source is ready.
    private func attach(_ source: UnsafeMutablePointer<GSource>?, _ body: @escaping () -> Void) {
        g_source_set_callback(
            source,
            { work in
                if let work { Unmanaged<Work>.fromOpaque(work).takeUnretainedValue().body() }
                return 0
            }, Unmanaged.passRetained(Work(body)).toOpaque(),
            { work in if let work { Unmanaged<Work>.fromOpaque(work).release() } })
        g_source_attach(source, context)
        g_source_unref(source)
    }

    /// A closure that GLib holds.
    private final class Work {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }
}

/// The message bus of a desktop's session.
package enum SessionBus {
    /// Its address, by the variables that desktops and logind set; nil without a session.
    package static func address(_ environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
        guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty else { return nil }
        return FileManager.default.fileExists(atPath: folder + "/bus") ? "unix:path=\(folder)/bus" : nil
    }
}

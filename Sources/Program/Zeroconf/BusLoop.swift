import CGIO
import Coordination

/// GLib's main loop on a thread of its own.
///
/// `@unchecked Sendable`: the pointers are made once and freed with the last reference; GLib lets any thread use its
/// loops and contexts.
final class BusLoop: @unchecked Sendable {
    private let context: OpaquePointer
    private let loop: OpaquePointer

    init() {
        context = g_main_context_new()
        loop = g_main_loop_new(context, 0)
    }

    deinit {
        g_main_loop_unref(loop)
        g_main_context_unref(context)
    }

    /// Runs `body` on a new thread, for which D-Bus tells its news to this loop.
    ///
    /// - Returns: whether there is such a thread.
    func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        BlockingThread.start("zeroconf") { [self] in
            g_main_context_push_thread_default(context)
            body()
            g_main_context_pop_thread_default(context)
        }
    }

    /// Waits for news until `end`; on the loop's thread.
    func run() { g_main_loop_run(loop) }

    /// Ends `run`, also when that begins later; on any thread.
    func end() {
        let source = g_idle_source_new()
        g_source_set_callback(
            source,
            { loop in
                g_main_loop_quit(OpaquePointer(loop))
                return 0
            }, UnsafeMutableRawPointer(loop), nil)
        g_source_attach(source, context)
        g_source_unref(source)
    }
}

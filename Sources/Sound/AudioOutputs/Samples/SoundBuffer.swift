import AudioFiles
package import CSound
package import Coordination

/// Buffers of GStreamer.
package enum SoundBuffer {
    /// A buffer with a copy of samples; nil where there is no memory.
    package static func make(
        _ samples: UnsafeRawBufferPointer, stamp: Nanoseconds, duration: Nanoseconds
    ) -> UnsafeMutablePointer<GstBuffer>? {
        guard let buffer = gst_buffer_new_allocate(nil, gsize(samples.count), nil) else { return nil }
        gst_buffer_fill(buffer, 0, samples.baseAddress, gsize(samples.count))
        (buffer.pointee.pts, buffer.pointee.duration) = (stamp.clockTime, duration.clockTime)
        return buffer
    }
}

extension ElementReference {
    private typealias Pointer = UnsafeMutableRawPointer
    private final class Handler {
        let body: @Sendable (UnsafeMutableRawPointer) -> Void
        init(_ body: @escaping @Sendable (UnsafeMutableRawPointer) -> Void) { self.body = body }
    }

    /// Calls `body` with the argument of a signal that has one, on the thread that emits it.
    package func connect(_ signal: String, _ body: @escaping @Sendable (UnsafeMutableRawPointer) -> Void) {
        let callback: @convention(c) (Pointer?, Pointer?, Pointer?) -> Void = { _, argument, data in
            guard let argument, let data else { return }
            Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue().body(argument)
        }
        segue_connect(
            pointer, signal, unsafeBitCast(callback, to: GCallback.self),
            Unmanaged.passRetained(Handler(body)).toOpaque(),
            { data, _ in if let data { Unmanaged<Handler>.fromOpaque(data).release() } })
    }
}

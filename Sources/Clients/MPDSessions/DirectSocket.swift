import Glibc
import NIOCore

/// A client's socket, which takes most answers at once, without the way through the channel's pipeline. The channel
/// still owns and reads it, and sends what the socket doesn't take, and all that follows until that is gone.
struct DirectSocket {
    private enum State {
        /// The first answer searches for it, which takes a microsecond.
        case unknown
        case descriptor(CInt)
        /// The channel has none, or changes bytes on their way, or is closed.
        case unusable
    }

    private var state = State.unknown
    private var channelHasBytes = false
    private var outlivesInput = false

    /// Leaves everything to the channel from now on: its pipeline changes bytes, or it is closed and the descriptor's
    /// number may belong to another file already.
    mutating func close() { state = .unusable }

    /// Sends as much as the socket takes, and removes that from `bytes`; the rest is for the channel.
    mutating func send(_ bytes: inout ByteBuffer, before channel: any Channel) {
        guard let descriptor = descriptor(of: channel), !isBehind(channel) else { return }
        let sent = bytes.withUnsafeReadableBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
        }
        // An error comes again when the channel sends, which is closed by it.
        bytes.moveReaderIndex(forwardBy: max(0, sent))
        channelHasBytes = bytes.readableBytes > 0
    }

    /// True if the channel still holds bytes that it was told to send.
    mutating func isBehind(_ channel: any Channel) -> Bool {
        if case .descriptor = state, !channelHasBytes { return false }
        channelHasBytes = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) != 0
        return channelHasBytes
    }

    /// Has the channel stay open when the client closes its side, because an answer is on its way. Otherwise it closes
    /// in fewer steps if it needs not ask the session first.
    mutating func outliveInput(of channel: any Channel) {
        guard !outlivesInput else { return }
        outlivesInput = true
        try? channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
    }

    private mutating func descriptor(of channel: any Channel) -> CInt? {
        switch state {
        case .descriptor(let descriptor): return descriptor
        case .unusable: return nil
        case .unknown:
            let descriptor = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (socket: CInt) in
                socket
            }
            state = descriptor.map(State.descriptor) ?? .unusable
            // Bytes that the channel was told to send so far may still be there.
            channelHasBytes = true
            return descriptor
        }
    }
}

import CGIO
import LibraryIndex

/// The volume that a storage is a part of; on the loop's thread, which GIO's answers come back to.
struct GIOVolume {
    private let address: StorageAddress
    private let call: GIOCall

    init(_ address: StorageAddress, _ call: GIOCall) { (self.address, self.call) = (address, call) }

    /// Mounts the volume; the answer says if it was not mounted before.
    func mount(_ answer: @escaping (Result<Bool, StorageFailure>) -> Void) {
        let address = address
        let file = g_file_new_for_uri(address.location)
        let asking = GIOQuestions(address.login)
        let reply = GIOReply { source, result in
            var error: UnsafeMutablePointer<GError>?
            let isMounted = g_file_mount_enclosing_volume_finish(OpaquePointer(source), result, &error) != 0
            if isMounted { return answer(.success(true)) }
            let cause = GIOError(taking: error)
            if cause.isCode(G_IO_ERROR_ALREADY_MOUNTED) { return answer(.success(false)) }
            answer(.failure(asking.failure ?? cause.failure(at: address)))
        }
        g_file_mount_enclosing_volume(
            file, G_MOUNT_MOUNT_NONE, asking.operation, call.cancellable, GIOReply.take, reply.retained)
        g_object_unref(UnsafeMutableRawPointer(file))
    }

    /// Unmounts the volume; one that isn't mounted is fine.
    func unmount(_ answer: @escaping (Result<Void, StorageFailure>) -> Void) {
        let address = address
        let file = g_file_new_for_uri(address.location)
        defer { g_object_unref(UnsafeMutableRawPointer(file)) }
        var error: UnsafeMutablePointer<GError>?
        // GVfs knows it already; its asynchronous call has no answer for what it knows.
        guard let mount = g_file_find_enclosing_mount(file, call.cancellable, &error) else {
            let cause = GIOError(taking: error)
            let isGone = cause.isCode(G_IO_ERROR_NOT_FOUND) || cause.isCode(G_IO_ERROR_NOT_MOUNTED)
            return answer(isGone ? .success(()) : .failure(cause.failure(at: address)))
        }
        defer { g_object_unref(UnsafeMutableRawPointer(mount)) }
        let reply = GIOReply { source, result in
            var error: UnsafeMutablePointer<GError>?
            let isDone = g_mount_unmount_with_operation_finish(OpaquePointer(source), result, &error) != 0
            answer(isDone ? .success(()) : .failure(GIOError(taking: error).failure(at: address)))
        }
        // Without force: another program may be reading there, and without questions, which none would answer.
        g_mount_unmount_with_operation(
            mount, G_MOUNT_UNMOUNT_NONE, nil, call.cancellable, GIOReply.take, reply.retained)
    }

    /// Where the storage's files are; nil when the system shows them as no files.
    var path: String? {
        let file = g_file_new_for_uri(address.location)
        defer { g_object_unref(UnsafeMutableRawPointer(file)) }
        guard let path = g_file_get_path(file) else { return nil }
        defer { g_free(path) }
        return String(cString: path)
    }
}

/// A closure that GIO calls once with its answer, and that is freed then.
final class GIOReply {
    private let body: (UnsafeMutablePointer<GObject>?, OpaquePointer?) -> Void

    init(_ body: @escaping (UnsafeMutablePointer<GObject>?, OpaquePointer?) -> Void) { self.body = body }
    /// The pointer that GIO holds until it answers.
    var retained: gpointer { Unmanaged.passRetained(self).toOpaque() }

    /// The function that GIO calls with it.
    static let take: GAsyncReadyCallback = { source, result, data in
        guard let data else { return }
        Unmanaged<GIOReply>.fromOpaque(data).takeRetainedValue().body(source, result)
    }
}

/// The questions of GVfs while it mounts, with the answers of an address.
final class GIOQuestions {
    let operation = g_mount_operation_new()
    private let login: Login

    /// The object that GIO's signals hold.
    private final class Login {
        var policy: StorageLogin
        init(_ policy: StorageLogin) { self.policy = policy }
    }

    init(_ login: StorageAddress.Login) {
        self.login = Login(StorageLogin(login))
        g_mount_operation_set_password_save(operation, G_PASSWORD_SAVE_NEVER)
        connect("ask-password", unsafeBitCast(Self.askPassword, to: GCallback.self))
        connect("ask-question", unsafeBitCast(Self.askQuestion, to: GCallback.self))
    }

    deinit { g_object_unref(operation) }

    /// Why the mount was given up; nil when it wasn't.
    var failure: StorageFailure? { login.policy.failure }

    private func connect(_ signal: String, _ handler: @escaping GCallback) {
        g_signal_connect_data(
            operation, signal, handler, Unmanaged.passRetained(login).toOpaque(),
            { data, _ in if let data { Unmanaged<Login>.fromOpaque(data).release() } }, GConnectFlags(rawValue: 0))
    }

    private typealias Text = UnsafePointer<CChar>
    private typealias Operation = UnsafeMutablePointer<GMountOperation>

    private static let askPassword:
        @convention(c) (Operation?, Text?, Text?, Text?, GAskPasswordFlags, gpointer?) -> Void = {
            operation, _, _, _, flags, data in
            guard let operation, let data else { return }
            // GIO's own handler would answer once more, from a loop that doesn't run here.
            g_signal_stop_emission_by_name(operation, "ask-password")
            let login = Unmanaged<Login>.fromOpaque(data).takeUnretainedValue()
            switch login.policy.answer(StorageLogin.Wanted(rawValue: flags.rawValue)) {
            case .abort: return g_mount_operation_reply(operation, G_MOUNT_OPERATION_ABORTED)
            case .anonymous: g_mount_operation_set_anonymous(operation, 1)
            case .login(let login):
                if let user = login.user { g_mount_operation_set_username(operation, user) }
                if let domain = login.domain { g_mount_operation_set_domain(operation, domain) }
                if let password = login.password { g_mount_operation_set_password(operation, password) }
            }
            g_mount_operation_reply(operation, G_MOUNT_OPERATION_HANDLED)
        }

    private static let askQuestion: @convention(c) (Operation?, Text?, gpointer?, gpointer?) -> Void = {
        operation, message, _, data in
        guard let operation, let data else { return }
        g_signal_stop_emission_by_name(operation, "ask-question")
        let login = Unmanaged<Login>.fromOpaque(data).takeUnretainedValue()
        login.policy.abort(at: GIOError.sentence(message.map { String(cString: $0) } ?? ""))
        // GVfs takes an abort for the first choice, which is yes to every certificate; the second is no.
        g_mount_operation_set_choice(operation, 1)
        g_mount_operation_reply(operation, G_MOUNT_OPERATION_ABORTED)
    }
}

struct GIOError {
    /// Its number among GIO's own errors; nil for those of other libraries.
    private let code: Int32?
    /// Its words, in one line.
    let sentence: String

    init(taking error: UnsafeMutablePointer<GError>?) {
        guard let error else {
            (code, sentence) = (nil, "unknown error")
            return
        }
        defer { g_error_free(error) }
        g_dbus_error_strip_remote_error(error)
        code = error.pointee.domain == g_io_error_quark() ? error.pointee.code : nil
        sentence = Self.sentence(error.pointee.message.map { String(cString: $0) } ?? "")
    }

    func isCode(_ code: GIOErrorEnum) -> Bool { self.code.map { UInt32(bitPattern: $0) == code.rawValue } ?? false }

    func failure(at address: StorageAddress) -> StorageFailure {
        let sentence = address.withoutPassword(sentence)
        let isAny = { (codes: [GIOErrorEnum]) in codes.contains { isCode($0) } }
        if isAny([G_IO_ERROR_NOT_SUPPORTED]) { return .noBackend(scheme: address.backend) }
        if isAny([G_IO_ERROR_PERMISSION_DENIED]) { return .refusedLogin }
        if isAny([G_IO_ERROR_HOST_NOT_FOUND]) { return .unknownHost }
        if isAny([G_IO_ERROR_NOT_FOUND]) { return .notFound }
        if isAny([G_IO_ERROR_CANCELLED]) { return .cancelled }
        let unreachable = [
            G_IO_ERROR_CONNECTION_REFUSED, G_IO_ERROR_HOST_UNREACHABLE, G_IO_ERROR_NETWORK_UNREACHABLE,
            G_IO_ERROR_TIMED_OUT, G_IO_ERROR_NOT_CONNECTED, G_IO_ERROR_CONNECTION_CLOSED,
        ]
        return isAny(unreachable) ? .unreachable(sentence) : .other(sentence)
    }

    /// A text of a server in one line without control characters, and not too long for an answer.
    static func sentence(_ text: String) -> String {
        let words = text.split {
            $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        return String(words.joined(separator: " ").prefix(300))
    }
}

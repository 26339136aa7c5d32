import CMicroHTTPD
import Glibc
import Logging

/// The functions that the library calls, each on the thread of its event loop.
///
/// The loop travels as their context: it owns the daemon, so it outlives every call. A
/// connection is retained when it is accepted and released when it is closed.
extension EventLoop {
    func callbacks(_ listeningSocket: ListeningSocket) -> httpd_options {
        let configuration = shared.configuration
        var options = httpd_options()
        options.listen_socket = listeningSocket.descriptor
        options.connection_limit = shared.connectionLimitOfLoop
        options.timeout = shared.idleSeconds
        options.memory_limit = configuration.maximumHeaderBytes + HeadMemory.bytesOfMark
        options.context = Unmanaged.passUnretained(self).toOpaque()
        options.request_begins = requestBegins
        options.request_arrives = requestArrives
        options.request_ends = requestEnds
        options.connection_changes = connectionChanges
        options.unescape = { _, _, text in strlen(text!) }
        options.log = log
        return options
    }

    fileprivate static func of(_ context: UnsafeMutableRawPointer?) -> EventLoop {
        Unmanaged<EventLoop>.fromOpaque(context!).takeUnretainedValue()
    }
}

/// The loop and the connection of a call. The library holds both until it ends, so they are not retained for it: each
/// request takes four calls.
private func with<Result>(
    _ context: UnsafeMutableRawPointer?, _ connection: UnsafeMutableRawPointer, _ body: (EventLoop, Connection) -> Result
) -> Result {
    Unmanaged<EventLoop>.fromOpaque(context!)._withUnsafeGuaranteedRef { loop in
        Unmanaged<Connection>.fromOpaque(connection)._withUnsafeGuaranteedRef { connection in body(loop, connection) }
    }
}

/// What it returns comes back as the last argument of `requestArrives` and `requestEnds`.
private let requestBegins: @convention(c) (
    UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
) -> UnsafeMutableRawPointer? = { context, target, handle in
    guard let pointer = httpd_socket_context(handle!) else { return nil }
    // Without it the library closes the connection when the head has come; no answer would have had any room.
    guard httpd_add_mark(handle) == .YES else { return nil }
    with(context, pointer) { loop, connection in loop.begin(String(cString: target!), on: connection) }
    // The library would list the arguments of the query, which nobody asks it for, and where they do not fit into the
    // connection's memory it never answers: for it, the query ends where it begins.
    if let mark = strchr(target!, CInt(UInt8(ascii: "?"))), mark[1] != 0 { mark[1] = 0 }
    return pointer
}

private let requestArrives: MHD_AccessHandlerCallback = { context, _, _, method, version, data, size, slot in
    guard let pointer = slot!.pointee else { return .NO }
    return with(context, pointer) { loop, connection in
        if case .head = connection.stage {
            return loop.judge(connection, method: method!, version: version!)
        }
        if size!.pointee > 0 {
            let part = UnsafeRawBufferPointer(start: data, count: size!.pointee)
            size!.pointee = 0
            return loop.receive(part, on: connection)
        }
        return loop.finish(connection, method: method!)
    }
}

private let requestEnds: MHD_RequestCompletedCallback = { context, _, slot, reason in
    guard let pointer = slot!.pointee else { return }
    with(context, pointer) { loop, connection in
        connection.endReply(isComplete: reason == .REQUEST_TERMINATED_COMPLETED_OK)
        connection.reset(now: loop.now, isDraining: loop.isDraining)
    }
}

private let connectionChanges: MHD_NotifyConnectionCallback = { context, handle, slot, change in
    let loop = EventLoop.of(context)
    if change == .CONNECTION_NOTIFY_STARTED {
        slot!.pointee = Unmanaged.passRetained(loop.add(handle!)).toOpaque()
    } else if let pointer = slot!.pointee {
        loop.remove(Unmanaged<Connection>.fromOpaque(pointer).takeRetainedValue())
        slot!.pointee = nil
    }
}

/// Most of what the library has to say is about a client's mistake; what is about a limit of
/// the system concerns whoever runs the server.
private let log: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void = { context, message in
    let level: Logger.Level = strstr(message!, "resource limit") == nil ? .debug : .warning
    // The loop is incomplete when its daemon's first messages come, but `shared` is there.
    EventLoop.of(context).shared.logger.log(level: level, "libmicrohttpd: \(String(cString: message!))")
}

import CMicroHTTPD
import Glibc
import Logging

/// The functions that libmicrohttpd calls, each on the thread of its event loop.
///
/// The context of each call is the event loop. The loop owns the daemon, so the loop outlives every call. A connection is
/// retained when it is accepted, and released when it is closed.
extension EventLoop {
    func callbacks(_ listeningSocket: ListeningSocket) -> httpd_options {
        let configuration = shared.configuration
        var options = httpd_options()
        options.listen_socket = listeningSocket.descriptor
        options.connection_limit = shared.connectionLimitOfLoop
        options.timeout = shared.idleSeconds
        options.memory_limit = configuration.maximumHeaderBytes + HeadMemory.bytesOfMark
        options.context = Unmanaged.passUnretained(self).toOpaque()
        options.accepts = accepts
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

/// Calls `body` with the loop and the connection of a callback. Neither object is retained, because each request causes four callbacks, and
/// each retain and release would take time.
private func with<Result>(
    _ context: UnsafeMutableRawPointer?, _ connection: UnsafeMutableRawPointer, _ body: (EventLoop, Connection) -> Result
) -> Result {
    Unmanaged<EventLoop>.fromOpaque(context!)._withUnsafeGuaranteedRef { loop in
        Unmanaged<Connection>.fromOpaque(connection)._withUnsafeGuaranteedRef { connection in body(loop, connection) }
    }
}

/// Returns whether to keep an accepted connection. Otherwise libmicrohttpd closes it without a response.
private let accepts: MHD_AcceptPolicyCallback = { context, address, _ in
    guard let peer = address.flatMap(NetworkAddress.init) else { return .YES }
    // Only `shared` is used, because the daemon may accept a connection while the loop is being initialized.
    return EventLoop.of(context).shared.accepts(from: peer) ? .YES : .NO
}

/// Begins a request. Returns a pointer to the connection, which libmicrohttpd passes to `requestArrives` and `requestEnds` in `slot`.
private let requestBegins:
    @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
    ) -> UnsafeMutableRawPointer? = { context, target, handle in
        guard let pointer = httpd_socket_context(handle!) else { return nil }
        // If the cookie of `HeadMemory` does not fit into the memory of the connection, a response would not fit either. The connection
        // is closed after the head.
        guard httpd_add_mark(handle) == .YES else { return nil }
        with(context, pointer) { loop, connection in loop.begin(String(cString: target!), on: connection) }
        // The query is removed. If its parsed arguments did not fit into the memory of the connection, libmicrohttpd would never respond.
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
        connection.endReply(isComplete: reason == .REQUEST_TERMINATED_COMPLETED_OK, now: loop.shared.now)
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

/// Logs a message of libmicrohttpd. Most messages report errors of clients. Messages about a resource limit are for the operator.
private let log: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void = { context, message in
    let loop = EventLoop.of(context)
    let isLimit = strstr(message!, "resource limit") != nil
    if isLimit { loop.lacksResources = true }
    loop.shared.logger.log(level: isLimit ? .warning : .debug, "libmicrohttpd: \(String(cString: message!))")
}

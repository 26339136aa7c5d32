import CCurl
import Glibc

/// The loop that performs all transfers of a client on one thread.
///
/// The loop waits with epoll and tells libcurl which sockets are ready, so that the cost of an event does not depend on the number of
/// transfers. `curl_multi_poll` and `curl_multi_perform` of libcurl would examine all transfers at each event.
final class TransferLoop {
    /// The maximum number of idle connections that are kept, in addition to the connections in use.
    private static let idleConnectionLimit = 16

    private let queue: TransferQueue
    private let connectTimeout: Duration
    private let now: () -> ContinuousClock.Instant
    private let multi: UnsafeMutableRawPointer
    private let poller: Int32
    private var exchanges: [ObjectIdentifier: Exchange] = [:]
    /// A time at or before the earliest deadline of all transfers; nil if no transfer has a deadline.
    private var nextDeadline: ContinuousClock.Instant?

    init?(_ queue: TransferQueue, connectTimeout: Duration, now: @escaping () -> ContinuousClock.Instant) {
        poller = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard poller >= 0 else { return nil }
        guard let multi = curl_multi_init() else {
            close(poller)
            return nil
        }
        self.multi = multi
        self.queue = queue
        self.connectTimeout = connectTimeout
        self.now = now
        httpclient_set_watch(multi, Self.watch, Unmanaged.passUnretained(self).toOpaque())
        watch(queue.descriptor, for: EPOLLIN.rawValue)
    }

    deinit {
        // Without this call, libcurl could call the watch function during the cleanup. The function would then use this object, which is
        // being deinitialized.
        httpclient_set_watch(multi, nil, nil)
        curl_multi_cleanup(multi)
        close(poller)
    }

    /// Performs transfers until the queue is closed.
    func run() {
        while let commands = queue.take() {
            for command in commands { perform(command) }
            var count: Int32 = 0
            curl_multi_socket_action(multi, -1, 0, &count)
            endCompleted()
            endOverdue()
            wait()
        }
        for exchange in exchanges.values { end(exchange, .failure(.cancelled)) }
    }

    private func perform(_ command: TransferQueue.Command) {
        switch command {
        case .start(let transfer, let request, let url):
            guard let exchange = Exchange(transfer, request, url, connectTimeout: connectTimeout, now: now) else {
                queue.release()
                return transfer.end(.failure(.exhausted))
            }
            exchanges[ObjectIdentifier(transfer)] = exchange
            httpclient_limit_connections(multi, exchanges.count + Self.idleConnectionLimit)
            add(exchange)
        case .resume(let transfer):
            guard let exchange = exchanges[ObjectIdentifier(transfer)] else { return }
            if let error = exchange.resume() { return end(exchange, .failure(error)) }
            note(exchange.deadline)
        case .abort(let transfer):
            if let exchange = exchanges[ObjectIdentifier(transfer)] { end(exchange, .failure(.cancelled)) }
        }
    }

    private func add(_ exchange: Exchange) {
        note(exchange.deadline)
        if curl_multi_add_handle(multi, exchange.handle) != CURLM_OK { end(exchange, .failure(.exhausted)) }
    }

    /// Removes a transfer and passes its result to its reader.
    private func end(_ exchange: Exchange, _ result: Result<Void, HTTPClientError>) {
        // Removing the handle can close the connection. A peer that notices this may already start the next transfer.
        queue.release()
        curl_multi_remove_handle(multi, exchange.handle)
        exchanges[ObjectIdentifier(exchange.transfer)] = nil
        httpclient_limit_connections(multi, exchanges.count + Self.idleConnectionLimit)
        exchange.transfer.end(result)
    }

    /// Ends the transfers that libcurl has completed. A transfer with a redirect continues instead.
    private func endCompleted() {
        var count: Int32 = 0
        while let message = curl_multi_info_read(multi, &count) {
            let (exchange, code) = (Exchange.of(httpclient_context(message.pointee.easy_handle)), message.pointee.data.result)
            if let result = exchange.result(code) {
                end(exchange, result)
            } else {
                curl_multi_remove_handle(multi, exchange.handle)
                add(exchange)
            }
        }
    }
}

// Waiting and deadlines.
extension TransferLoop {
    private func note(_ deadline: ContinuousClock.Instant?) {
        if let deadline { nextDeadline = min(nextDeadline ?? deadline, deadline) }
    }

    /// Ends the transfers whose deadline has passed, unless the deadline is extended.
    private func endOverdue() {
        guard let next = nextDeadline, case let now = now(), next <= now else { return }
        nextDeadline = nil
        for exchange in exchanges.values {
            if let deadline = exchange.deadline, deadline <= now, let error = exchange.timeout() {
                end(exchange, .failure(error))
            } else {
                note(exchange.deadline)
            }
        }
    }

    /// Waits until a socket is ready, a command arrives, or a timeout passes.
    private func wait() {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        let eventCount = epoll_wait(poller, &events, Int32(events.count), delay())
        for event in events.prefix(Int(max(eventCount, 0))) {
            if event.data.fd == queue.descriptor {
                queue.acknowledge()
            } else {
                var count: Int32 = 0
                curl_multi_socket_action(multi, event.data.fd, Self.readiness(event.events), &count)
            }
        }
    }

    /// Returns the number of milliseconds until the next timeout, rounded up. Returns -1 if there is no timeout.
    private func delay() -> Int32 {
        var delay = -1
        curl_multi_timeout(multi, &delay)
        guard let nextDeadline else { return Int32(clamping: delay) }
        let rest = Int((nextDeadline - now()) / .milliseconds(1)) + 1
        return Int32(clamping: delay < 0 ? max(rest, 0) : min(delay, max(rest, 0)))
    }

    private static func readiness(_ events: UInt32) -> Int32 {
        var readiness: Int32 = 0
        if events & (EPOLLIN.rawValue | EPOLLHUP.rawValue) != 0 { readiness |= CURL_CSELECT_IN }
        if events & EPOLLOUT.rawValue != 0 { readiness |= CURL_CSELECT_OUT }
        if events & EPOLLERR.rawValue != 0 { readiness |= CURL_CSELECT_ERR }
        return readiness
    }

    private func watch(_ socket: Int32, for events: UInt32) {
        var event = epoll_event(events: events, data: epoll_data_t(fd: socket))
        if epoll_ctl(poller, EPOLL_CTL_MOD, socket, &event) != 0 { epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event) }
    }

    private static let watch: httpclient_watch = { _, socket, events, context, _ in
        let loop = Unmanaged<TransferLoop>.fromOpaque(context!).takeUnretainedValue()
        switch events {
        case CURL_POLL_REMOVE: epoll_ctl(loop.poller, EPOLL_CTL_DEL, socket, nil)
        case CURL_POLL_IN: loop.watch(socket, for: EPOLLIN.rawValue)
        case CURL_POLL_OUT: loop.watch(socket, for: EPOLLOUT.rawValue)
        default: loop.watch(socket, for: EPOLLIN.rawValue | EPOLLOUT.rawValue)
        }
        return 0
    }
}

import CPostgres
import Dispatch
import Glibc

extension PostgresConnection {
    /// The time between two checks whether a running statement must be cancelled.
    private static let pollInterval = Duration.milliseconds(20)
    /// The maximum number of consecutive reads before the deadline is checked.
    private static let readLimit = 64
    /// The time within which a cancelled statement must end.
    private static let cancellationTimeout = Duration.seconds(1)
    /// The queue on which cancel requests are sent. Each cancel request opens a connection, which can block the thread for a long time.
    private static let cancelQueue = DispatchQueue(label: "cancelling")

    /// Waits for the next result. Returns `nil` if the statement has no further result, or if the connection is broken.
    func nextResult(until deadline: Instant, isGivenUp: (() -> Bool)?) -> PostgresResult? {
        var deadline = deadline
        var isCancelled = false
        while true {
            let rest = PQflush(connection)
            guard rest >= 0 else {
                isBroken = true
                return PQgetResult(connection).map(PostgresResult.init(owning:))
            }
            if rest == 0, PQisBusy(connection) == 0 { break }
            let now = Instant.now
            if !isCancelled, now >= deadline || isGivenUp?() == true {
                isCancelled = true
                deadline = now + Self.cancellationTimeout
                cancel()
            }
            guard now < deadline else {
                isBroken = true
                return nil
            }
            let isPolling = isGivenUp != nil && !isCancelled || isEncrypted
            _ = wait(for: rest == 1, isPolling ? min(deadline - now, Self.pollInterval) : deadline - now)
            guard readInput() else {
                isBroken = true
                // The last message of the server may contain the reason for the broken connection.
                return PQgetResult(connection).map(PostgresResult.init(owning:))
            }
        }
        let result = PQgetResult(connection).map(PostgresResult.init(owning:))
        if PQstatus(connection) == CONNECTION_BAD { isBroken = true }
        return result
    }

    /// Waits until the socket is readable or, if `isWriting` is true, writable. Returns `false` if the timeout has passed.
    private func wait(for isWriting: Bool, _ timeout: Duration) -> Bool {
        var file = pollfd(fd: descriptor, events: Int16(POLLIN | (isWriting ? POLLOUT : 0)), revents: 0)
        return poll(&file, 1, Int32((timeout / .milliseconds(1)).rounded(.up))) > 0
    }

    var isEncrypted: Bool { PQsslInUse(connection) == 1 }

    /// Reads all bytes that have arrived, without waiting. Returns `false` if the connection is broken.
    ///
    /// libpq may read only 8 KB of a TLS record of up to 16 KB. OpenSSL buffers the rest of the record, but buffered bytes do not make the
    /// socket readable. Therefore this function reads once more after the socket is empty. If another record arrives during that read, its
    /// rest is read after the next wait, which is always short for a connection with TLS.
    private func readInput() -> Bool {
        guard PQconsumeInput(connection) == 1 else { return false }
        guard isEncrypted else { return true }
        for _ in 0..<Self.readLimit {
            let isReadable = wait(for: false, .zero)
            guard PQconsumeInput(connection) == 1 else { return false }
            if !isReadable { break }
        }
        return true
    }

    private func cancel() {
        wasCancelled = true
        guard let cancel = PQgetCancel(connection) else { return }
        nonisolated(unsafe) let handle = cancel
        let limit = Instant.now + Self.cancellationTimeout
        Self.cancelQueue.async {
            defer { PQfreeCancel(handle) }
            // A cancel request waits in the queue while another cancel request cannot reach its server. If it has waited too long, it is
            // not sent, because it could cancel a later statement of the connection.
            guard .now < limit else { return }
            var message = [CChar](repeating: 0, count: 256)
            PQcancel(handle, &message, 256)
        }
    }
}

// MARK: - Notifications

extension PostgresConnection {
    /// Reads the notifications that have arrived.
    func receive() {
        if !readInput() { isBroken = true }
    }

    /// Returns the texts of the received notifications in the order of the commits, and removes them.
    func notifications() -> [String] {
        var texts: [String] = []
        while let notification = PQnotifies(connection) {
            texts.append(String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
        return texts
    }
}

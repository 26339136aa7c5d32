import CPostgres
import Dispatch
import Glibc

extension PostgresConnection {
    /// How often it is looked whether a statement that runs was given up.
    private static let lookInterval = Duration.milliseconds(20)
    /// The maximum number of reads at a time, so that a deadline is looked at.
    private static let readLimit = 64
    /// How long a statement that is cancelled may take to end.
    private static let cancellingTime = Duration.seconds(1)
    /// What cancels: it connects anew, which may hang.
    private static let cancelling = DispatchQueue(label: "cancelling")

    /// The next result; nil where there is none to the statement, and where the connection is broken.
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
                deadline = now + Self.cancellingTime
                cancel()
            }
            guard now < deadline else {
                isBroken = true
                return nil
            }
            let isLooking = isGivenUp != nil && !isCancelled || isEncrypted
            _ = wait(for: rest == 1, isLooking ? min(deadline - now, Self.lookInterval) : deadline - now)
            guard readInput() else {
                isBroken = true
                // It has what the server said at last.
                return PQgetResult(connection).map(PostgresResult.init(owning:))
            }
        }
        let result = PQgetResult(connection).map(PostgresResult.init(owning:))
        if PQstatus(connection) == CONNECTION_BAD { isBroken = true }
        return result
    }

    /// - Returns: whether the socket has something to read or takes something to write.
    private func wait(for isWriting: Bool, _ pause: Duration) -> Bool {
        var file = pollfd(fd: descriptor, events: Int16(POLLIN | (isWriting ? POLLOUT : 0)), revents: 0)
        return poll(&file, 1, Int32((pause / .milliseconds(1)).rounded(.up))) > 0
    }

    /// A Boolean value that indicates whether it uses TLS.
    var isEncrypted: Bool { PQsslInUse(connection) == 1 }

    /// Reads what has come, without waiting.
    ///
    /// A record of TLS has up to 16 KB, of which libpq may read only 8 KB at a time. OpenSSL has the rest then, of which the socket says
    /// nothing: so it reads once more after the socket was empty. Where a record comes in between, the rest is read after the next wait,
    /// which is short.
    ///
    /// - Returns: false where the connection is broken.
    private func readInput() -> Bool {
        guard PQconsumeInput(connection) == 1 else { return false }
        guard isEncrypted else { return true }
        for _ in 0..<Self.readLimit {
            let isMoreThere = wait(for: false, .zero)
            guard PQconsumeInput(connection) == 1 else { return false }
            if !isMoreThere { break }
        }
        return true
    }

    /// Asks the server to stop what runs.
    private func cancel() {
        wasCancelled = true
        guard let cancel = PQgetCancel(connection) else { return }
        nonisolated(unsafe) let handle = cancel
        let limit = Instant.now + Self.cancellingTime
        Self.cancelling.async {
            defer { PQfreeCancel(handle) }
            // One before it may have hung at a server that is gone.
            guard .now < limit else { return }
            var message = [CChar](repeating: 0, count: 256)
            PQcancel(handle, &message, 256)
        }
    }
}

// MARK: - Notifications

extension PostgresConnection {
    /// Reads what the server has sent without being asked.
    func receive() {
        if !readInput() { isBroken = true }
    }

    /// Takes the texts of notifications that have been read, in the order of the commits.
    func notifications() -> [String] {
        var texts: [String] = []
        while let notification = PQnotifies(connection) {
            texts.append(String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
        return texts
    }
}

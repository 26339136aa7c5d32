extension ClientMachine {
    @discardableResult
    mutating func updateStream(_ id: RequestID, _ now: Duration, _ change: (inout StreamProgress) -> Void) -> Bool {
        guard case .stream(id, var progress) = line else { return false }
        // The head of the response does not count as bytes of the stream, because some proxies forward the head but delay the body.
        let opened = progress.opened
        change(&progress)
        if progress.opened == opened {
            progress.hasBytes = true
            progress.lastByte = now
            emptyStreams = 0
        }
        line = .stream(id, progress)
        (isReachable, hasNewToken) = (true, false)
        return true
    }

    mutating func receiveStreamed(_ head: DocumentHead, of id: RequestID, _ now: Duration) {
        guard updateStream(id, now, { $0.hasEvents = true }) else { return }
        if take(head) { positions.settle(sentPositions[id] ?? [], at: now) } else { reopenStream(now) }
    }

    /// Ends a stream after a changeset or a confirmation that does not fit the held version.
    mutating func reopenStream(_ now: Duration) {
        dropLine()
        if versionMismatches >= Self.versionMismatchLimit {
            demand = .snapshot
            versionMismatches = 0
        }
        pause(atLeast: .zero, now)
    }

    mutating func confirm(_ version: String, by id: RequestID, _ now: Duration) {
        guard updateStream(id, now, { $0.hasEvents = true }) else { return }
        guard version == held else {
            versionMismatches += 1
            return reopenStream(now)
        }
        (isStored, isStale) = (false, false)
        versionMismatches = 0
        positions.settle(sentPositions[id] ?? [], at: now)
    }

    mutating func endStream(_ id: RequestID, _ failure: Failure?, _ now: Duration) {
        guard case .stream(id, let progress) = line else { return }
        // Some proxies do not forward streams. Such a proxy sends the head of the response but no bytes of the body, or responds with 502
        // or 504 after it has waited in vain for the end of the stream.
        let isBlocked = progress.opened != nil || failure?.hasStatus(502) == true || failure?.hasStatus(504) == true
        if !progress.hasBytes, isBlocked || now - progress.lastByte >= Self.silence { emptyStreams += 1 }
        if let failure, failure != .unreachable { return failLine(failure, now) }
        dropLine()
        if failure != nil, progress.opened == nil { isReachable = false }
        if let opened = progress.opened { backoff.noteLife(now - opened) }
        pause(atLeast: .zero, now)
    }
}

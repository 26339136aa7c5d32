import Dispatch
import Logging
import ScreenHTTP
import ScreenModel
import ScreenService
import Synchronization

/// A log with one line for each request whose response has ended.
///
/// The threads that serve connections only add entries to a buffer. Another thread makes them into lines and writes them. If that thread
/// cannot write as fast as requests end, the buffer is full and further entries are dropped.
final class AccessLog: Sendable {
    /// The value of `--access-log` for standard output.
    static let standardOutput = "-"
    /// The maximum number of entries in the buffer, which take about 3 MB.
    static let entryLimit = 16_384
    /// The size of the text in bytes at which it is written.
    private static let chunkSize = 64 << 10
    /// The minimum time between two reports of dropped lines.
    private static let reportInterval = Duration.seconds(10)

    private struct Entry: Sendable {
        let request: ObservedRequest
        let end: Timestamp
    }

    private struct Buffer {
        var entries: [Entry] = []
        var isWriting = false
        var dropped = Dropped()
    }

    /// The lines that were dropped since the last report.
    private struct Dropped {
        var count = 0
        /// The failure because of which they were dropped; `nil` if the buffer was full.
        var failure: LogOutput.Failure?
    }

    private let output: LogOutput
    private let callers: CallerHash
    private let logger: Logger
    private let queue = DispatchQueue(label: "access log")
    private let buffer = Mutex(Buffer())
    private let lastReport = Mutex<ContinuousClock.Instant?>(nil)

    init(_ output: LogOutput, callers: CallerHash, logger: Logger) {
        (self.output, self.callers, self.logger) = (output, callers, logger)
    }

    /// Opens the log at a path, or on standard output. Returns `nil` if the path is `nil`.
    ///
    /// - Throws: ``CannotOpen``, or an error of the store.
    static func open(_ path: String?, hashingBy store: any ServiceStoring, _ logger: Logger) async throws -> AccessLog? {
        guard let path else { return nil }
        let output: LogOutput
        do throws(LogOutput.Failure) {
            output = path == standardOutput ? .standardOutput : try LogOutput(path: path)
        } catch {
            throw CannotOpen(path: path, failure: error)
        }
        let secret = try await store.secret(byteCount: CallerHash.secretByteCount)
        guard secret.count == CallerHash.secretByteCount else { throw DataUnavailable(reason: "the secret of the database is damaged") }
        return AccessLog(output, callers: CallerHash(secret: secret), logger: logger)
    }

    struct CannotOpen: Error, CustomStringConvertible {
        let path: String
        let failure: LogOutput.Failure

        var description: String { "The access log \(path) cannot be opened: \(failure). Give another file with --access-log." }
    }

    /// Adds a line for a request. Drops it if the buffer is full.
    @Sendable func add(_ request: ObservedRequest) {
        let entry = Entry(request: request, end: .now)
        let starts = buffer.withLock { buffer in
            guard buffer.entries.count < Self.entryLimit else {
                buffer.dropped.count += 1
                return false
            }
            buffer.entries.append(entry)
            defer { buffer.isWriting = true }
            return !buffer.isWriting
        }
        if starts { queue.async { self.writeAll() } }
    }

    /// Waits until all lines are written, and reports the dropped lines.
    @Sendable func flush() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.writeAll()
                self.report(isLast: true)
                continuation.resume()
            }
        }
    }

    private func writeAll() {
        while let entries = takeEntries() {
            var (text, lineCount) = (JSONWriter(capacity: Self.chunkSize), 0)
            for entry in entries {
                write(entry, to: &text)
                lineCount += 1
                if text.bytes.count >= Self.chunkSize { write(&text, &lineCount) }
            }
            if lineCount > 0 { write(&text, &lineCount) }
            report()
        }
    }

    private func takeEntries() -> [Entry]? {
        buffer.withLock { buffer in
            if buffer.entries.isEmpty {
                buffer.isWriting = false
                return nil
            }
            defer { buffer.entries = [] }
            return buffer.entries
        }
    }

    private func write(_ text: inout JSONWriter, _ lineCount: inout Int) {
        if let failure = output.write(text.bytes) {
            buffer.withLock { buffer in
                buffer.dropped.count += lineCount
                buffer.dropped.failure = failure
            }
        }
        text.bytes.removeAll(keepingCapacity: true)
        lineCount = 0
    }

    /// Logs the number of dropped lines, unless this was done a moment ago.
    private func report(isLast: Bool = false) {
        let now = ContinuousClock.now
        guard isLast || lastReport.withLock({ $0.map { now - $0 >= Self.reportInterval } ?? true }) else { return }
        let dropped = buffer.withLock { buffer in
            defer { buffer.dropped = Dropped() }
            return buffer.dropped
        }
        guard dropped.count > 0 else { return }
        lastReport.withLock { $0 = now }
        let cause = dropped.failure.map { "\($0)" } ?? "the buffer was full"
        logger.warning("lines of the access log were dropped", metadata: ["count": "\(dropped.count)", "cause": "\(cause)"])
    }
}

// MARK: - Lines

extension AccessLog {
    private func write(_ entry: Entry, to text: inout JSONWriter) {
        let request = entry.request
        // Each line begins a new JSON value, so it must not begin with a comma.
        var line = JSONWriter()
        line.writeObject { line in
            line.field("time", entry.end.text)
            line.field("requestId", request.trace.requestID)
            line.field("traceId", request.trace.traceID)
            line.field("method", request.method)
            line.field("route", request.route)
            line.field("screen", request.screen)
            line.field("status", request.status)
            line.field("kind", request.kind.name)
            line.field("reason", request.kind.reason)
            line.field("bytes", request.bodyBytes)
            line.field("milliseconds", Double(request.duration / .microseconds(1)).rounded() / 1000)
            line.field("caller", callers.text(of: request.caller))
            line.field("isComplete", request.isComplete)
        }
        text.bytes += line.bytes
        text.bytes.append(UInt8(ascii: "\n"))
    }
}

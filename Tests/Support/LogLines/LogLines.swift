public import Logging
import Synchronization

/// An object that records log lines.
public final class LogLines: Sendable {
    private struct Line {
        let message: String
        let metadata: String
    }

    private let kept = Mutex<[Line]>([])
    private let level: Logger.Level

    /// - Parameter level: The lowest level that is recorded.
    public init(from level: Logger.Level = .trace) {
        self.level = level
    }

    /// The level, the message and the metadata of each line. Metadata is sorted by name.
    public var all: [String] { kept.withLock { $0.map { "\($0.message): \($0.metadata)" } } }

    /// The level and the message of each line.
    public var messages: [String] { kept.withLock { $0.map(\.message) } }

    public var logger: Logger { Logger(label: "test") { _ in Handler(lines: self, logLevel: self.level) } }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            let line = Line(message: "\(event.level): \(event.message)", metadata: metadata.joined(separator: " "))
            lines.kept.withLock { $0.append(line) }
        }
    }
}

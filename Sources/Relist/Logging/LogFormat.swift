import Logging
import ScreenModel
import ScreenService

/// The form of the program's log.
enum LogFormat: String, CaseIterable {
    /// The form of the logging system, by default lines of text on standard error.
    case text
    /// Lines with one JSON object each, on standard error.
    case json

    /// A logger in this form. A line that is written for a request has the ids of the request.
    var logger: Logger {
        switch self {
        case .text: Logger(label: "relist", metadataProvider: Self.trace)
        case .json: Logger(label: "relist") { _ in JSONLogHandler(metadataProvider: Self.trace) }
        }
    }

    /// The ids of the request for which a line is written.
    static let trace = Logger.MetadataProvider {
        guard let trace = RequestTrace.current else { return [:] }
        var metadata: Logger.Metadata = ["requestId": "\(trace.requestID)"]
        if let id = trace.traceID { metadata["traceId"] = "\(id)" }
        return metadata
    }
}

/// A log handler that writes each line as a JSON object.
struct JSONLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.info
    /// Writes a line, which ends with a line feed.
    var write: @Sendable ([UInt8]) -> Void = { _ = LogOutput.standardError.write($0) }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
        if let error = event.error { all["error"] = "\(error)" }
        var line = JSONWriter()
        line.writeObject { line in
            line.field("time", Timestamp.now.text)
            line.field("level", event.level.rawValue)
            line.field("message", "\(event.message)")
            if !all.isEmpty { line.field("metadata", JSONValue(.dictionary(all))) }
        }
        write(line.bytes + [UInt8(ascii: "\n")])
    }
}

extension JSONValue {
    fileprivate init(_ value: Logger.MetadataValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .stringConvertible(let value): self = .string("\(value)")
        case .array(let values): self = .array(values.map(JSONValue.init))
        case .dictionary(let members):
            let sorted = members.sorted { $0.key < $1.key }
            self = .object(OrderedFields(sorted.map { ($0.key, JSONValue($0.value)) }))
        }
    }
}

/// A parser of `text/event-stream` as defined by the HTML standard. The bytes can arrive in arbitrary pieces.
struct EventStreamParser {
    /// An item of the stream.
    enum Item: Equatable {
        /// An event with its data. If the stream states no type, the type is `message`.
        case event(type: String, data: [UInt8])
        /// The pause that the stream suggests before it is reopened.
        case retry(Duration)
    }

    /// An error that is thrown if an event has more bytes than `limit`.
    struct TooLarge: Error {}

    /// The maximum size of an event in bytes.
    let limit: Int
    /// The bytes of the line that has not ended yet.
    private var line: [UInt8] = []
    private var type = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var isAfterReturn = false
    private var isFirstLine = true

    init(limit: Int = 64 << 20) {
        self.limit = limit
    }

    /// Parses the next piece of the stream, and passes each item that this piece completes to `receive`.
    mutating func parse(_ bytes: [UInt8], _ receive: (Item) throws -> Void) throws {
        var rest = bytes[...]
        if isAfterReturn, rest.first == UInt8(ascii: "\n") { rest.removeFirst() }
        if !bytes.isEmpty { isAfterReturn = false }
        while let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            line += rest[..<end]
            let isReturn = rest[end] == UInt8(ascii: "\r")
            rest = rest[(end + 1)...]
            if isReturn {
                if rest.isEmpty { isAfterReturn = true } else if rest.first == UInt8(ascii: "\n") { rest.removeFirst() }
            }
            let item = endLine()
            line.removeAll(keepingCapacity: line.capacity <= 1 << 14)
            guard data.count <= limit else { throw TooLarge() }
            if let item { try receive(item) }
        }
        line += rest
        guard line.count + data.count <= limit else { throw TooLarge() }
    }

    private mutating func endLine() -> Item? {
        if isFirstLine {
            isFirstLine = false
            // The HTML standard permits a byte order mark at the beginning.
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        if line.isEmpty { return endEvent() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[min(colon + 1, line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "data":
            if hasData { data.append(UInt8(ascii: "\n")) }
            data += value
            hasData = true
        case "event": type = String(decoding: value, as: UTF8.self)
        case "retry":
            guard let milliseconds = UInt32(saturating: String(decoding: value, as: UTF8.self)) else { return nil }
            return .retry(.milliseconds(Int64(milliseconds)))
        default: break
        }
        return nil
    }

    private mutating func endEvent() -> Item? {
        defer { (type, data, hasData) = ("", [], false) }
        return hasData ? .event(type: type.isEmpty ? "message" : type, data: data) : nil
    }
}

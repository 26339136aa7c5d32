import HTTPServer

/// Reads the key under which a client has one thing done once.
enum IdempotencyKey {
    static let field = "Idempotency-Key"
    static let lengths = 1...255

    /// The key as it came; nil if there is none. One that is not UTF-8 could not be told from others.
    static func read(from headers: Headers) throws(Problem) -> String? {
        let values = headers.values(of: field)
        guard let key = values.first else { return nil }
        guard values.count == 1, lengths.contains(key.utf8.count), !key.unicodeScalars.contains("\u{FFFD}") else {
            let detail = "Send one \(field) of \(lengths.lowerBound) to \(lengths.upperBound) bytes of UTF-8, such as a UUID."
            throw Problem(kind: .invalidRequest, detail: detail)
        }
        return key
    }
}

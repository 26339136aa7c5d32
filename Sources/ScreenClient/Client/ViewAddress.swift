/// The address of a view on its server: the screen, its parameters, the revision of its cells, and its language.
struct ViewAddress: Hashable, Sendable {
    let screen: String
    var parameters: [String: String]
    let revision: Int?
    let locale: String?

    /// Returns the path and the query of a request. They are appended to the base URL.
    ///
    /// - Parameter suffix: The path segments after the name of the screen, such as `["changes"]`.
    func target(_ suffix: [String] = [], _ extra: [(String, String)] = []) -> String {
        var query = parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        if let revision { query.append(("revision", String(revision))) }
        if let locale { query.append(("locale", locale)) }
        return Self.target(["screens", screen] + suffix, query + extra)
    }

    static func target(_ path: [String], _ query: [(String, String)]) -> String {
        let path = path.map { "/" + encoded($0) }.joined()
        let query = query.map { "\(encoded($0))=\(encoded($1))" }.joined(separator: "&")
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    /// Returns the text with all bytes percent-encoded except unreserved characters (RFC 3986, section 2.3).
    private static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                let digits = Array("0123456789ABCDEF".utf8)
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

import ScreenWire

/// Reads the body of a request for changes: `{"version": "…"}`, whatever else is in it.
enum ChangesBody {
    /// Says why a body names no version.
    enum Fault: Error, Hashable {
        case empty
        case notJSON(JSONSyntaxError)
        case notAnObject(kind: String)
        case noVersion
        case versionNotAString(kind: String)
    }

    /// The version that the client says it holds.
    static func version(in body: [UInt8]) throws(Fault) -> String {
        guard !body.isEmpty else { throw .empty }
        let value: JSONValue
        do { value = try JSONReader.read(body) } catch { throw .notJSON(error) }
        guard case .object = value else { throw .notAnObject(kind: value.kind) }
        switch value["version"] {
        case .string(let version): return version
        case let other?: throw .versionNotAString(kind: other.kind)
        case nil: throw .noVersion
        }
    }
}

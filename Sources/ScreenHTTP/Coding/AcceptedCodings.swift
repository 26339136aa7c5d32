import ContentCoding
import HTTPServer
import ScreenWire
import Synchronization

/// The content codings that a client prefers and accepts, according to `Accept-Encoding` (RFC 9110, section 12.5.3).
struct AcceptedCodings: Hashable, Sendable {
    /// The codings for a complete body; nil if the body is sent as it is.
    private(set) var ofBody: BodyCodings?
    /// A Boolean value that indicates whether a stream is encoded with gzip. Streams are not sent in other codings: zstd makes typical events
    /// larger, and some clients fail at the second frame of a body (httpx 0.28); parts in br cannot follow on any stream.
    private(set) var prefersGzipStream = false
    /// A Boolean value that indicates whether the client accepts a body that is not encoded.
    private(set) var acceptsIdentity = true

    /// A Boolean value that indicates whether the client accepts any response.
    var isSatisfiable: Bool { acceptsIdentity || ofBody != nil }

    /// Clients send few different values, and each request has one.
    private static let known = Mutex<[ExactText: AcceptedCodings]>([:])
    private static let knownLimit = 64
    /// The maximum length of a remembered value in bytes.
    private static let knownLength = 128

    /// Reads the codings from the fields of a request.
    init(in headers: Headers) {
        guard let field = headers.list(of: "Accept-Encoding") else {
            self.init(nil)
            return
        }
        guard field.utf8.count <= Self.knownLength else {
            self.init(field)
            return
        }
        // Strings that consist of different characters can be equal: a Greek question mark equals a semicolon.
        let key = ExactText(field)
        self = Self.known.withLock { known in
            if let codings = known[key] { return codings }
            let codings = AcceptedCodings(field)
            if known.count == Self.knownLimit { known = [:] }
            known[key] = codings
            return codings
        }
    }

    init(_ acceptEncoding: String?) {
        guard let acceptEncoding else { return }
        let weights = Weights(acceptEncoding)
        acceptsIdentity = weights.ofIdentity > 0
        // The orders follow from the table of `ContentCoding`.
        if let first = weights.best(of: [.zstd, .br, .gzip]), let frequent = weights.best(of: [.br, .zstd, .gzip]),
            let single = weights.best(of: [.zstd, .gzip, .br])
        {
            ofBody = BodyCodings(first: first, frequent: frequent, single: single)
        }
        prefersGzipStream = weights.best(of: [.gzip]) != nil
    }
}

/// The codings in which a client receives a body. The client accepts all of them with equal weights.
struct BodyCodings: Hashable, Sendable {
    /// The coding of a body that is requested for the first time: zstd before br, and br before gzip.
    let first: ContentCoding
    /// The coding of a body that is requested again: br before zstd, and zstd before gzip.
    let frequent: ContentCoding
    /// The coding of a body that is sent once: zstd before gzip, and gzip before br.
    let single: ContentCoding
}

/// The weights of the codings in `Accept-Encoding`.
private struct Weights {
    private var zstd, br, gzip, identity, other: Double?

    /// The maximum number of codings that are read. A client names a few.
    private static let countLimit = 32

    init(_ acceptEncoding: String) {
        for (name, weight) in WeightedList(acceptEncoding).prefix(Self.countLimit) {
            switch name.lowercased() {
            case "zstd": zstd = weight
            case "br": br = weight
            // The names are equivalent (section 8.4.1.3).
            case "gzip", "x-gzip": gzip = weight
            case "identity": identity = weight
            case "*": other = weight
            default: break
            }
        }
    }

    /// Identity is accepted unless it is excluded, by its name or by `*`.
    var ofIdentity: Double { identity ?? (other == 0 ? 0 : 1) }

    /// Returns the coding with the greatest weight; nil if no coding is accepted, or if the client names identity with a greater weight.
    func best(of codings: [ContentCoding]) -> ContentCoding? {
        var best: (coding: ContentCoding?, weight: Double) = (nil, 0)
        for coding in codings where weight(of: coding) > best.weight { best = (coding, weight(of: coding)) }
        return best.weight < identity ?? 0 ? nil : best.coding
    }

    private func weight(of coding: ContentCoding) -> Double {
        switch coding {
        case .zstd: zstd ?? other ?? 0
        case .br: br ?? other ?? 0
        case .gzip: gzip ?? other ?? 0
        }
    }
}

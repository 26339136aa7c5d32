import Glibc
import HTTPServer
import Synchronization

/// Serves the files of one folder, and nothing outside of it.
///
/// A file is read when it is first asked for and again when it has changed, so that a page can be
/// edited while the server runs. Its entity tag is made of what says that it changed.
final class PublicFiles: Sendable {
    /// Larger files are not served: each is kept in memory.
    static let sizeLimit = 16 << 20
    /// Nothing but files of this server, and no code or style in a document.
    static let contentSecurityPolicy = [
        "default-src 'self'", "connect-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'none'",
        "frame-ancestors 'none'",
    ].joined(separator: "; ")

    private struct Kept {
        let tag: String
        let whole: PreparedResponse
        let notModified: PreparedResponse
    }

    private let root: String
    private let kept = Mutex<[String: Kept]>([:])

    /// - Parameter root: the folder; links in its own path are followed here, once.
    init?(root: String) {
        guard let resolved = realpath(root, nil) else { return nil }
        defer { free(resolved) }
        self.root = String(cString: resolved)
    }

    /// The file of a path, nil if there is none.
    ///
    /// - Parameter segments: decoded; none for the folder itself. A folder stands for its `index.html`.
    func reply(to segments: [String], ifNoneMatch: String?) -> Reply? {
        let isFit = { (segment: String) in
            !segment.hasPrefix(".") && !segment.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
        }
        var segments = segments
        if segments.last?.isEmpty == true { segments[segments.count - 1] = "index.html" }
        guard !segments.isEmpty, segments.allSatisfy({ !$0.isEmpty && isFit($0) }) else { return nil }
        guard let file = current(segments.joined(separator: "/")) else { return nil }
        if let ifNoneMatch, Preferences.matches(ifNoneMatch: ifNoneMatch, tag: file.tag) { return .prepared(file.notModified) }
        return .prepared(file.whole)
    }

    /// The file as it is now. It may lie behind a link, as long as that leads nowhere outside.
    private func current(_ path: String) -> Kept? {
        guard let resolved = realpath("\(root)/\(path)", nil) else { return nil }
        defer { free(resolved) }
        let location = String(cString: resolved)
        guard location.hasPrefix("\(root)/"), let file = OpenFile(location) else { return nil }
        if let known = kept.withLock({ $0[location] }), known.tag == file.tag { return known }
        guard file.size <= Self.sizeLimit, let bytes = file.read() else { return nil }
        let read = Self.kept(bytes, tag: file.tag, type: MediaType.of(location))
        kept.withLock { $0[location] = read }
        return read
    }

    private static func kept(_ bytes: [UInt8], tag: String, type: String) -> Kept {
        var headers: Headers = [
            "ETag": tag, "Cache-Control": "no-cache", "Content-Security-Policy": contentSecurityPolicy,
            "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
        ]
        let notModified = PreparedResponse(Response(status: 304, headers: headers, body: bytes))
        headers.append("Content-Type", type)
        return Kept(tag: tag, whole: PreparedResponse(Response(headers: headers, body: bytes)), notModified: notModified)
    }
}

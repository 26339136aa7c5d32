import HTTPServer
import ScreenService
import ScreenWire
import Synchronization

/// The files of one folder, and nothing outside of it.
///
/// A file is read when it is first asked for and again when it has changed, so that a page can be
/// edited while the server runs. Its entity tag is made of what says that it changed.
final class PublicFiles: Sendable {
    /// Larger files are not served: each is sent from memory.
    static let sizeLimit = 16 << 20
    /// In bytes, of all that is kept in memory to be sent again; what was not sent for longest goes first.
    static let keptLimit = 64 << 20
    /// About what a file takes beside its bytes, in bytes.
    private static let fixedCost = 4096
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

    private let open: @Sendable ([String]) throws -> OpenFile?
    private let work: BlockingWork
    private let kept = Mutex(CostBoundedCache<ExactText, Kept>(costLimit: keptLimit))

    /// - Parameters:
    ///   - open: opens a file by the names on its way, and gives nil where there is none.
    ///   - work: where it is opened and read.
    init(
        open: @escaping @Sendable ([String]) throws -> OpenFile?,
        work: BlockingWork = BlockingWork(width: 4, waitingLimit: 1024)
    ) {
        self.open = open
        self.work = work
    }

    convenience init?(folder: String) {
        guard let folder = PublicFolder(folder) else { return nil }
        self.init { try folder.open($0) }
    }

    /// Not at once: opening and reading a file may block.
    ///
    /// - Parameter files: nil where there are none.
    static func reply(to request: borrowing RoutedRequest, from files: PublicFiles?) throws(Problem) -> Reply {
        let missing = Problem(kind: .notFound, detail: "There is no such file. The screens are listed at /screens.")
        guard let files else { throw missing }
        let (names, ifNoneMatch) = (request.path.file, request.headers.list(of: "If-None-Match"))
        let decisiveFields = request.context.decisiveFields
        return .later {
            guard var answer = try await files.answer(to: names, ifNoneMatch: ifNoneMatch) else { throw missing }
            if !decisiveFields.isEmpty { answer.headers.append("Vary", decisiveFields.joined(separator: ", ")) }
            return answer
        }
    }

    /// In bytes, about.
    var keptBytes: Int { kept.withLock { $0.totalCost } }

    /// The file of a path, nil if there is none.
    ///
    /// - Parameter segments: decoded; none for the folder itself. A folder stands for its `index.html`.
    /// - Throws: ``PublicFolder/OutOfReach``, `BlockingWork.Overload`
    func answer(to segments: [String], ifNoneMatch: String?) async throws -> Answer? {
        let isFit = { (segment: String) in
            !segment.hasPrefix(".") && !segment.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
        }
        var segments = segments
        if segments.last?.isEmpty == true { segments[segments.count - 1] = "index.html" }
        guard !segments.isEmpty, segments.allSatisfy({ !$0.isEmpty && isFit($0) }) else { return nil }
        guard let file = try await work.run({ [segments] in try self.current(segments) }) else { return nil }
        if let ifNoneMatch, Preferences.matches(ifNoneMatch: ifNoneMatch, tag: file.tag) { return .prepared(file.notModified) }
        return .prepared(file.whole)
    }

    /// The file as it is now.
    private func current(_ names: [String]) throws -> Kept? {
        guard let file = try open(names) else { return nil }
        let location = ExactText(file.location)
        if let known = kept.withLock({ $0.use(location) }), known.tag == file.tag { return known }
        guard file.size <= Self.sizeLimit else { return nil }
        let bytes = try file.read()
        let read = Self.kept(bytes, tag: file.tag, type: MediaType.of(file.location))
        _ = kept.withLock { $0.insert(read, for: location, cost: bytes.count + Self.fixedCost) }
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

/// The media types of the files that pages are made of.
enum MediaType {
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
        "json": "application/json", "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg",
        "ico": "image/x-icon", "webp": "image/webp", "woff2": "font/woff2",
        "txt": "text/plain; charset=utf-8", "md": "text/markdown; charset=utf-8",
    ]

    private static let unknown = "application/octet-stream"

    /// All that there are.
    static let all = Set(types.values).sorted() + [unknown]

    /// The type of a file by the ending of its name.
    static func of(_ path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return unknown }
        return types[name[name.index(after: dot)...].lowercased()] ?? unknown
    }
}

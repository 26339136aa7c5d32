import HTTPServer
import ScreenService
import ScreenWire
import Synchronization

/// The handler of requests for files. It serves only the files in one folder.
///
/// A file is read when it is first requested, and again after it has changed. So a page can be edited while the server runs.
final class PublicFiles: Sendable {
    /// The maximum size of a served file in bytes. It is limited because files are sent from memory.
    static let sizeLimit = 16 << 20
    /// The maximum size of all cached files in bytes. The least recently used files are evicted first.
    static let cacheLimit = 64 << 20
    private static let fixedCost = 4096
    /// A policy that allows pages to load only files of this server. Inline scripts and styles are forbidden.
    static let contentSecurityPolicy = [
        "default-src 'self'", "connect-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'none'",
        "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// The paths of files in the public folder that only developers use. They are not served.
    private static let unserved = [["Page.swift"], ["package.json"]]

    private struct CachedFile {
        let tag: String
        let full: PreparedResponse
        let notModified: PreparedResponse
    }

    private let open: @Sendable ([String]) throws -> OpenFile?
    private let work: BlockingWork
    private let cache = Mutex(CostBoundedCache<ExactText, CachedFile>(costLimit: cacheLimit))

    /// Creates a handler that calls `open` on the threads of `work`. `open` receives the names in the path of a file, and opens the file.
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

    /// Replies with a file. If `files` is nil, no files are served.
    static func reply(to request: borrowing RoutedRequest, from files: PublicFiles?) throws(Problem) -> Reply {
        let missing = Problem(kind: .notFound, detail: "There is no such file. The screens are listed at /screens.")
        guard let files else { throw missing }
        let (names, ifNoneMatch) = (request.path.segments, request.headers.list(of: "If-None-Match"))
        let varyFields = request.context.varyFields
        return .later {
            guard var answer = try await files.answer(to: names, ifNoneMatch: ifNoneMatch) else { throw missing }
            if !varyFields.isEmpty { answer.headers = answer.headers.varying(by: varyFields) }
            return answer
        }
    }

    var cachedBytes: Int { cache.withLock { $0.totalCost } }

    /// Returns the response with the file at a decoded path, or nil if there is no such file. If the path ends with an empty segment,
    /// `index.html` is served.
    func answer(to segments: [String], ifNoneMatch: String?) async throws -> Answer? {
        let isFit = { (segment: String) in
            !segment.hasPrefix(".") && !segment.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
        }
        var segments = segments
        if segments.last?.isEmpty == true { segments[segments.count - 1] = "index.html" }
        guard !segments.isEmpty, segments.allSatisfy({ !$0.isEmpty && isFit($0) }), !Self.unserved.contains(segments) else { return nil }
        guard let file = try await work.run({ [segments] in try self.current(segments) }) else { return nil }
        if let ifNoneMatch, Preferences.matches(ifNoneMatch: ifNoneMatch, tag: file.tag) { return .prepared(file.notModified) }
        return .prepared(file.full)
    }

    private func current(_ names: [String]) throws -> CachedFile? {
        guard let file = try open(names) else { return nil }
        let location = ExactText(file.location)
        if let known = cache.withLock({ $0.use(location) }), known.tag == file.tag { return known }
        guard file.size <= Self.sizeLimit else { return nil }
        let bytes = try file.read()
        let read = Self.cachedFile(bytes, tag: file.tag, type: MediaType.of(file.location))
        _ = cache.withLock { $0.insert(read, for: location, cost: bytes.count + Self.fixedCost) }
        return read
    }

    private static func cachedFile(_ bytes: [UInt8], tag: String, type: String) -> CachedFile {
        var headers: Headers = [
            "ETag": tag, "Cache-Control": "no-cache", "Content-Security-Policy": contentSecurityPolicy,
            "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "Vary": "Accept-Encoding",
        ]
        let body = PreparedBody(bytes)
        let notModified = PreparedResponse(status: 304, headers: headers, body: body, note: ResponseNote.fileNotModified)
        headers.append("Content-Type", type)
        let full = PreparedResponse(headers: headers, body: body, note: ResponseNote.file)
        return CachedFile(tag: tag, full: full, notModified: notModified)
    }
}

extension Headers {
    /// Returns the fields with more names in `Vary`.
    fileprivate func varying(by names: [String]) -> Headers {
        var fields = Headers()
        for (name, value) in self { fields.append(name, name == "Vary" ? ([value] + names).joined(separator: ", ") : value) }
        return fields
    }
}

/// The media types of files.
enum MediaType {
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
        "json": "application/json", "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg",
        "ico": "image/x-icon", "webp": "image/webp", "woff2": "font/woff2",
        "txt": "text/plain; charset=utf-8", "md": "text/markdown; charset=utf-8",
    ]

    private static let unknown = "application/octet-stream"

    static let all = Set(types.values).sorted() + [unknown]

    static func of(_ path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return unknown }
        return types[name[name.index(after: dot)...].lowercased()] ?? unknown
    }
}

import HTTPServer

/// Is what a path leads to.
enum Route: Hashable {
    case screens
    case screen(String)
    case changes(String)
    case action(screen: String, String)
    case health
    case readiness
    case metrics
    /// A file of the public folder, by the segments of its path.
    case file([String])

    /// - Parameter path: as it came, percent-encoded. Nil if it cannot be decoded.
    init?(path: Substring) {
        if let asked = Self(plain: path) {
            self = asked
            return
        }
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        var decoded: [String] = []
        decoded.reserveCapacity(segments.count)
        for segment in segments {
            guard let text = PercentEncoding.decode(Substring(segment)) else { return nil }
            decoded.append(text)
        }
        self.init(segments: decoded)
    }

    /// What is asked for most, `/screens/{screen}` and its changes, without a list of segments.
    private init?(plain path: Substring) {
        let (screens, changes) = ("/screens/" as StaticString, "/changes" as StaticString)
        let bytes = path.utf8.span
        guard bytes.starts(with: screens) else { return nil }
        let rest = bytes.extracting(screens.utf8CodeUnitCount...)
        let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.count
        guard end > 0, rest.extracting(..<end).firstIndex(of: UInt8(ascii: "%")) == nil else { return nil }
        let name = String(Substring(path.utf8.dropFirst(screens.utf8CodeUnitCount).prefix(end)))
        if end == rest.count {
            self = .screen(name)
        } else if rest.count - end == changes.utf8CodeUnitCount, rest.extracting(end...).starts(with: changes) {
            self = .changes(name)
        } else {
            return nil
        }
    }

    private init(segments: [String]) {
        switch (segments.first, segments.count) {
        case ("screens", 1): self = .screens
        case ("screens", 2) where !segments[1].isEmpty: self = .screen(segments[1])
        case ("screens", 3) where segments[2] == "changes": self = .changes(segments[1])
        case ("screens", 4) where segments[2] == "actions" && !segments[3].isEmpty:
            self = .action(screen: segments[1], segments[3])
        case ("healthz", 1): self = .health
        case ("readyz", 1): self = .readiness
        case ("metrics", 1): self = .metrics
        default: self = .file(segments)
        }
    }

    /// The methods that it takes, OPTIONS aside.
    var methods: [String] {
        switch self {
        case .changes: ["GET", "HEAD", "POST"]
        case .action: ["POST"]
        default: ["GET", "HEAD"]
        }
    }
}

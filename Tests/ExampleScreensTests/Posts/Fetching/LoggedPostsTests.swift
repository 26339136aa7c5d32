@testable import ExampleScreens
import ExampleStores
import Logging
import Synchronization
import Testing

struct LoggedPostsTests {
    @Test func aPageThatFailsIsLoggedWithItsCause() async {
        let lines = Lines()
        let posts = LoggedPosts(source: Failing(), logger: Logger(label: "test") { _ in LineHandler(lines: lines) })
        await #expect(throws: PostsFailure.wrongShape(at: "/3/title")) { try await posts.posts(onPage: 2) }
        #expect(lines.all == [#"warning: 2: wrongShape(at: "/3/title")"#])
    }
}

private struct Failing: PostsFetching {
    func posts(onPage page: Int) async throws(PostsFailure) -> [Post] {
        throw .wrongShape(at: "/3/title")
    }
}

private final class Lines: Sendable {
    private let kept = Mutex<[String]>([])

    var all: [String] { kept.withLock { $0 } }

    func add(_ line: String) {
        kept.withLock { $0.append(line) }
    }
}

private struct LineHandler: LogHandler {
    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let metadata = event.metadata ?? [:]
        lines.add("\(event.level): \(metadata["page", default: ""]): \(metadata["cause", default: ""])")
    }
}

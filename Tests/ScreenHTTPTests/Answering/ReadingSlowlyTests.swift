import HTTPServer
import RawClient
import ScreenHTTP
import ScreenService
import ScreenWire
import Testing

@Suite(.serialized, .timeLimit(.minutes(1))) struct ReadingSlowlyTests {
    private static let path = "/screens/notes/changes"
    private static let stepCount = 12

    /// Of a hundred notes, 40 that no other step has: a step is a changeset of more bytes than all buffers together.
    private func notes(of step: Int) -> [String] {
        (1...60).map { "kept \($0)" } + (1...40).map { "\(step) \($0) " + String(repeating: "long ", count: 120) }
    }

    /// The versions that an event leads from and to.
    private func versions(_ event: String?) throws -> (from: String?, to: String?) {
        let data = try #require(event?.split(separator: "\n").first { $0.hasPrefix("data: ") })
        let document = try JSONReader.read(Array(data.utf8.dropFirst(6)))
        return (document["from"]?.text, document["version"]?.text)
    }

    @Test func itGetsFewerAndLargerStepsAndEndsAtTheNewest() async throws {
        let site = try await LiveSite(sendBuffer: 4096)
        site.notes.set("inbox", to: notes(of: 0))
        let first = try await site.ask("GET", "/screens/notes").version
        var (held, newest): (String?, String?) = (first, first)
        let target = "\(Self.path)?version=\(first)"
        let (slow, quick) = (try await site.stream(target, receiveBuffer: 4096), try await site.stream(target))
        for step in 1...Self.stepCount {
            site.notes.set("inbox", to: notes(of: step))
            let step = try versions(await quick.event())
            try #require(step.from == newest)
            newest = step.to
        }
        var count = 0
        repeat {
            let step = try versions(await slow.event())
            try #require(step.from == held)
            held = step.to
            count += 1
        } while held != newest
        #expect(count < Self.stepCount / 2)
        await site.stop()
    }

    @Test func silenceIsBrokenByACommentEveryFifteenSeconds() async throws {
        let site = try await LiveSite()
        let request = Request(method: "GET", target: Self.path, headers: ["Accept": "text/event-stream"])
        do {
            guard case .stream(let response) = try await site.api.reply(to: request).answer else {
                Issue.record("it does not stream")
                return
            }
            #expect(response.heartbeat == .init(bytes: Array(":\n\n".utf8), interval: .seconds(15)))
            #expect(site.followedCount == 1)
        }
        // Its client has left before anything was sent.
        #expect(site.followedCount == 0)
        await site.stop()
    }
}

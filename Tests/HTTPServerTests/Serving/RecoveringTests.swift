import Testing

@testable import HTTPServer

@Suite struct RecoveringTests {
    private struct Failure: Error {}

    private func answer(_ status: Int) -> @Sendable (any Error) -> Answer {
        { _ in .response(Response(status: status)) }
    }

    @Test func aReplyRecoversOnce() async throws {
        let replies: [Reply] = [
            .later { throw Failure() }, .waiting { throw Failure() }, .preceded { .later { throw Failure() } },
            .reading { _ in throw Failure() }, .reading { _ in .later { throw Failure() } },
        ]
        for reply in replies {
            let recovered = reply.recovering(answer(400)).map { $0 }
            #expect(!reply.isRecovered && recovered.isRecovered)
            #expect(try await recovered.recovering(answer(500)).answer.status == 400)
        }
    }

    @Test func aReplyWhoseContentIsReplacedRecoversAnew() async throws {
        var reply = Reply.later { throw Failure() }.recovering(answer(400))
        reply.content = .later { throw Failure() }
        #expect(try await reply.recovering(answer(500)).answer.status == 500)
    }
}

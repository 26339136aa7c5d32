import Testing

@testable import HTTPServer

@Suite struct RecoveringTests {
    private struct Failure: Error {}

    private func answer(_ status: Int) -> @Sendable (any Error) -> Answer {
        { _ in .response(Response(status: status)) }
    }

    private let replies: [Reply] = [
        .later { throw Failure() }, .waiting { throw Failure() }, .preceded { .later { throw Failure() } },
        .reading { _ in throw Failure() }, .reading { _ in .later { throw Failure() } },
    ]

    @Test func anErrorIsAnsweredByTheInnermostLayerAlone() async throws {
        for reply in replies {
            let recovered = reply.recovering(answer(400)).map { $0 }.recovering(answer(500))
            #expect(try await recovered.answer.status == 400)
        }
    }

    /// A layer changes the answers of all layers within it.
    @Test func anAnswerToAnErrorIsChangedByLaterMapsAlone() async throws {
        let mark: @Sendable (String) -> @Sendable (Answer) -> Answer = { text in
            { answer in
                var answer = answer
                answer.headers.append("Mark", text)
                return answer
            }
        }
        for reply in replies {
            let changed = try await reply.map(mark("before")).recovering(answer(400)).map(mark("after")).answer
            #expect(changed.headers.values(of: "Mark") == ["after"])
        }
    }
}

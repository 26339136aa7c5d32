import Testing

@testable import HTTPServer

@Suite struct RecoveringTests {
    private struct Failure: Error {}

    private func answer(_ status: Int) -> @Sendable (any Error) -> Answer {
        { _ in .response(Response(status: status)) }
    }

    private let replies: [Reply] = [
        .later { throw Failure() }, .waiting { throw Failure() }, .deferred { .later { throw Failure() } },
        .reading { _ in throw Failure() }, .reading { _ in .later { throw Failure() } },
    ]

    @Test func onlyTheInnermostErrorHandlerRespondsToAnError() async throws {
        for reply in replies {
            let recovered = reply.recovering(answer(400)).map { $0 }.recovering(answer(500))
            #expect(try await recovered.answer.status == 400)
        }
    }

    @Test func anErrorResponseIsChangedOnlyByFunctionsAppliedAfterItsErrorHandler() async throws {
        for reply in replies {
            let changed = try await reply.marked("before").recovering(answer(400)).marked("after").answer
            #expect(changed.headers.values(of: "Mark") == ["after"])
        }
    }
}

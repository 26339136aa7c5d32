import HTTPServer
import RawClient
@testable import ScreenHTTP
import ScreenService
import Testing

/// Answers to actions for who would rather have no body.
@Suite(.serialized) struct MinimalAnswerTests {
    private static let path = "/screens/notes/actions/add"
    private static let minimal: Headers = ["Content-Type": "application/json", "Prefer": "wait=5, return=minimal"]

    private func body(_ text: String) -> String { #"{"version":"nonsense","input":{"te/xt":"\#(text)"}}"# }

    @Test(arguments: Transport.allCases)
    func whatIsDoneIsSaidWithoutABody(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let answer = try await site.post(Self.path, body("6"), Self.minimal)
        #expect(answer.status == 204 && answer.body.isEmpty)
        #expect(answer.headers["Preference-Applied"] == "return=minimal")
        #expect(answer.headers["Vary"] == "Accept, Accept-Language, Prefer")
        #expect(answer.headers["Cache-Control"] == "no-store")
        #expect(answer.headers["Content-Type"] == nil)
        #expect(try site.notes.notes(in: "inbox")?.last == "6")
    }

    @Test(arguments: Transport.allCases)
    func nothingIsComputedForIt(_ transport: Transport) async throws {
        let site = try await transport.serve()
        _ = try await site.post(Self.path, body("6"), Self.minimal)
        #expect(site.api.service.metrics.current.computations == 0)
        // Else the answer shows it, and so has to be computed.
        _ = try await site.post(Self.path, body("7"), ["Content-Type": "application/json"])
        #expect(site.api.service.metrics.current.computations == 1)
    }

    @Test(arguments: Transport.allCases)
    func problemsKeepTheirBodies(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let broken = try await site.post(Self.path, body("spam"), Self.minimal)
        #expect(try broken.expectProblem("broken-rule", 422, at: ["pointer /input/te~1xt", "pointer /input"]) == "No spam. Please.")
        #expect(broken.headers["Preference-Applied"] == nil)
        try await site.post(Self.path, "[]", Self.minimal).expectProblem("invalid-body", 400, at: [])
    }

    @Test(arguments: Transport.allCases)
    func anotherWishForTheReturnIsNotApplied(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let answer = try await site.post(
            Self.path, body("6"), ["Content-Type": "application/json", "Prefer": "return=representation"]
        )
        #expect(answer.status == 200 && answer.headers["Preference-Applied"] == nil)
    }
}

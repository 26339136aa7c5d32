import Foundation
import HTTPServer
import RawClient
import ScreenModel
import ScreenService
import ScreenWire
import Testing

/// The Swift of screens that are examples.
@Suite(.serialized) struct SourceTests {
    private static let path = "/screens/notes/source"

    @Test(arguments: Transport.allCases)
    func anExampleShowsTheFileThatDefinesIt(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let answer = try await site.get(Self.path)
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../Screens/Notes.swift").standardized
        #expect(answer.body == Array(try Data(contentsOf: file)))
        #expect(answer.headers["Content-Type"] == "text/plain; charset=utf-8")
        #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
        #expect(try await site.get("/screens").text.contains(#""example":{"source":"/screens/notes/source"}"#))
    }

    @Test(arguments: Transport.allCases)
    func aScreenThatIsNoneHasNoSource(_ transport: Transport) async throws {
        let site = try await transport.serve()
        try await site.get("/screens/news/source").expectProblem("not-found", 404)
        try await site.get("/screens/none/source").expectProblem("not-found", 404)
    }
}

import Testing

@testable import ScreenClient

/// Tests of a transport that only streams.
@Suite(.timeLimit(.minutes(1)))
struct TransportTests {
    /// A transport whose responses have these pieces. Without pieces, a response never ends.
    private struct Pieces: ClientTransport {
        let pieces: [[UInt8]]

        func stream(_ request: TransportRequest) async throws -> TransportStream {
            TransportStream(status: 200) { [pieces] receive in
                for piece in pieces { try await receive(piece) }
                if pieces.isEmpty { for await _ in AsyncStream<Never>.makeStream().stream {} }
                try Task.checkCancellation()
            }
        }
    }

    private let request = TransportRequest(method: "GET", url: "http://test/", bodyLimit: 4)

    @Test func aCompleteResponseConsistsOfThePiecesOfItsStream() async throws {
        #expect(try await Pieces(pieces: [[1, 2], [3], [4]]).send(request).body == [1, 2, 3, 4])
    }

    @Test func aBodyThatIsTooLargeIsNotReadToItsEnd() async {
        await #expect(throws: IncompleteResponse.tooLarge) { try await Pieces(pieces: [[1, 2, 3], [4, 5], [6]]).send(request) }
    }

    @Test func aResponseThatNeverEndsFails() async {
        await #expect(throws: IncompleteResponse.tooSlow) { try await Pieces(pieces: []).send(request, within: .milliseconds(1)) }
    }
}

import Testing

@testable import ScreenService

@Suite("Tokens of positions") struct PositionTokensTests {
    private let tokens = PositionTokens(secret: Array(1...32))

    @Test(arguments: [0, 1, 42, 1_042, .max - 1, .max] as [Int64])
    func aPositionTokenCanBeReadOnAllReplicas(_ number: Int64) {
        let token = tokens.token(for: Position(number: number))
        #expect(token.count == 26)
        #expect(PositionTokens(secret: Array(1...32)).position(of: token) == Position(number: number))
    }

    @Test(arguments: [
        "", "0", "42", "-1", "9223372036854775807", "a", " ", "٣", String(repeating: "a", count: 26), String(repeating: "7", count: 26),
        String(repeating: "é", count: 13), String(repeating: "a", count: 10_000),
    ])
    func aPositionTokenThatTheServiceDidNotCreateIsRejected(_ text: String) {
        #expect(tokens.position(of: text) == nil)
    }

    @Test func aPositionTokenOfAnotherServiceIsRejected() {
        let others = PositionTokens(secret: Array(2...33))
        #expect(tokens.position(of: others.token(for: Position(number: 42))) == nil)
    }

    @Test func aModifiedPositionTokenIsRejected() {
        let token = Array(tokens.token(for: Position(number: 42)))
        for place in token.indices {
            for character in "abcdefghijklmnopqrstuvwxyz234567A0 " where character != token[place] {
                var changed = token
                changed[place] = character
                #expect(tokens.position(of: String(changed)) == nil)
            }
        }
        for text in [String(token.dropLast()), String(token) + "a", " " + String(token), String(token).uppercased()] {
            #expect(tokens.position(of: text) == nil)
        }
    }

    @Test func aServiceDoesNotStartIfItsSecretHasTheWrongLength() async throws {
        let store = DamagedStore(topics: Topics(received: ReceivedCommits()))
        await #expect(throws: DataUnavailable(reason: "the secret of the database is damaged")) {
            _ = try await ScreenService(catalog: try ScreenCatalog([]), store: store, logger: .silent)
        }
    }

    @Test func sipHashReturnsTheHashInTheTestVectorOfItsAuthors() {
        // The test vector is from the implementation by the authors of SipHash. The input is the bytes 0 to 7, and the key is the bytes 0
        // to 15.
        #expect(SipHash(key: Array(0...15)).hash(0x0706_0504_0302_0100) == 0x93f5_f579_9a93_2462)
    }
}

/// A store whose secret for position tokens is too short.
private struct DamagedStore: ServiceStoring {
    let topics: Topics
    let history: any HistoryStoring = HistoryInMemory()
    let receipts: any ReceiptStoring = ReceiptsInMemory()

    func secret(byteCount: Int) -> [UInt8] {
        [UInt8](repeating: 1, count: byteCount == PositionTokens.secretByteCount ? byteCount - 1 : byteCount)
    }
    func checkReadable() {}
    func close() {}
}

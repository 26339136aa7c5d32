@testable import ScreenService
import ScreenWire
import Testing

@Suite("Negotiation") struct NegotiationTests {
    static let current = Version(high: 1, low: 1)
    static let known = Version(high: 2, low: 2)
    static let unknown = Version(high: 3, low: 3)

    @Test(arguments: [
        (nil, Negotiation.snapshot(.initial)), (current.description, .unchanged), (known.description, .changeset(from: known)),
        (unknown.description, .snapshot(.unknownVersion)), ("", .snapshot(.unknownVersion)), ("\u{0}", .snapshot(.unknownVersion)),
        ("\"\(current)\"", .snapshot(.unknownVersion)), (current.description.uppercased(), .snapshot(.unknownVersion)),
        ("\(current) ", .snapshot(.unknownVersion)), (String(repeating: "a", count: 100_000), .snapshot(.unknownVersion)),
    ] as [(String?, Negotiation)])
    func eachPresentedVersionHasItsAnswer(presented: String?, answer: Negotiation) {
        #expect(Negotiation(presented: presented, current: Self.current) { $0 == Self.known } == answer)
    }

    @Test func theCurrentVersionIsCurrentWhateverHistoryKnows() {
        for isKnown in [true, false] {
            #expect(Negotiation(presented: Self.current.description, current: Self.current) { _ in isKnown } == .unchanged)
        }
    }
}

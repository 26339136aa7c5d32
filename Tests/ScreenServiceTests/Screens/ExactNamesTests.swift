import CoreMetrics
import ScreenModel
import ScreenWire
import Testing

@testable import ScreenService

/// Tests that strings from clients are compared by their bytes. For example, `é` as one Unicode scalar differs from `é` as two scalars.
struct ExactNamesTests {
    private static let (one, two) = ("\u{E9}", "e\u{301}")
    private let catalog = try! ScreenCatalog([Accented()])

    private func view(_ parameters: [(String, String)] = [], user: String = "u") throws(ViewFault) -> ScreenView {
        try catalog.view(of: "accented", parameters: parameters.map { (name: $0, value: $1) }, locale: .english, caller: .user(user))
    }

    private func faults(_ parameters: [(String, String)]) -> [ParameterFault] {
        do throws(ViewFault) {
            _ = try view(parameters)
            return []
        } catch {
            guard case .parameters(let faults) = error else { return [] }
            return faults
        }
    }

    @Test func usersAreComparedByTheBytesOfTheirIDs() throws {
        #expect(Audience.user(Self.one) != .user(Self.two))
        #expect(Audience.user(Self.one) == .user("\u{E9}"))
        #expect(Audience.user("") != .everyone)
        #expect(Set([Audience.everyone, .user(Self.one), .user(Self.two), .user(Self.one)]).count == 3)
        #expect(try view(user: Self.one) != view(user: Self.two))
        #expect(try Set([view(user: Self.one), view(user: Self.two)]).count == 2)
        #expect(Topic("wifi/" + Self.one) != Topic("wifi/" + Self.two))
    }

    @Test func usersWithCanonicallyEquivalentIDsHaveDifferentViews() async throws {
        let letters = try await LetterService()
        letters.store.write(["mine"], of: Self.one)
        let mine = try await letters.service.snapshot(of: letters.view(of: "notes", user: Self.one)).value
        let theirs = try await letters.service.snapshot(of: letters.view(of: "notes", user: Self.two)).value
        #expect(mine.version != theirs.version)
        #expect(letters.service.metrics.current.computations == 2)
    }

    @Test func valuesOfParametersAreComparedByTheirBytes() throws {
        #expect(try view([("q", Self.one)]) != view([("q", Self.two)]))
        #expect(try Set([view([("q", Self.one)]), view([("q", Self.two)])]).count == 2)
        #expect(try view([("q", Accented.q.defaultText!)]) == view())
        #expect(try view([("q", "caf" + Self.two)]) != view())
    }

    @Test func namesOfParametersAreComparedByTheirBytes() {
        let unknown = ParameterFault(name: Self.two, cause: .unknown(known: ["q", "sort", Self.one]))
        #expect(faults([(Self.two, "1")]) == [unknown])
        #expect(faults([(Self.one, "1"), (Self.two, "1")]) == [unknown])
        #expect(faults([(Self.one, "1"), (Self.one, "2")]).map(\.cause) == [.repeated])
    }

    @Test func choicesOfAParameterAreComparedByTheirBytes() {
        #expect(faults([("sort", "caf" + Self.one)]) == [])
        #expect(faults([("sort", "caf" + Self.two)]).count == 1)
        let field = Field<Accented.Sort>.choice("sort", "Sort")
        #expect(throws: Never.self) { try field.value(in: .object([.init("sort", .string("caf" + Self.one))])) }
        #expect(throws: InputFault.self) { try field.value(in: .object([.init("sort", .string("caf" + Self.two))])) }
    }

    @Test func namesOfInputFieldsAreComparedByTheirBytes() {
        let field = Field.text(Self.one, "Text")
        #expect(throws: InputFault.self) { try field.value(in: .object([.init(Self.two, .string("a"))])) }
    }

    @Test func namesOfActionsAreComparedByTheirBytes() async throws {
        let catalog = try ScreenCatalog([Accented()])
        let actions = Actions(
            catalog: catalog, hash: .fixed, receipts: ReceiptsInMemory(), topics: Topics(),
            metrics: ServiceMetrics(screens: [], in: NOOPMetricsHandler.instance), clock: ManualClock(at: 0),
            deadline: .after(.seconds(3600)),
            receiptBounds: ReceiptBounds(), logger: .silent
        )
        // The Kelvin sign is canonically equivalent to K.
        let failure = await #expect(throws: ActionFailure.self) {
            try await actions.perform(.of("\u{212A}eep", .object([])), on: view())
        }
        #expect(failure?.cause as? ActionFault == .unknownAction("\u{212A}eep", screen: "accented", known: ["Keep"]))
        _ = try await actions.perform(.of("Keep", .object([])), on: view())
    }

    @Test func receiptsAreComparedByTheBytesOfUserAndKey() async throws {
        let letters = try await LetterService()
        for user in [Self.one, Self.two] {
            for key in [Self.one, Self.two] {
                for _ in 0..<2 { _ = try await letters.service.perform(.add("d", key: key, user: user), on: letters.view()) }
            }
        }
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d", "d", "d", "d"])
    }
}

private struct Accented: Screen {
    enum Sort: String, CaseIterable, Sendable {
        case name
        case cafe = "caf\u{E9}"
    }

    static let name = "accented"
    static let q = Parameter<String>.text("q", default: "caf\u{E9}", "A text.")
    static let sort = Parameter<Sort>.choice("sort", default: .name, "An order.")
    static let number = Parameter<Int>.integer("\u{E9}", in: 0...9, default: 0, "A number.")
    let visibility = Visibility.user
    let parameters: [any ParameterDeclaring] = [q, sort, number]
    let actions = [Action("Keep", "Does nothing.") { _ in }]

    let title: Text = "Accented"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Label, Row>> {
        ScreenContent(title: "Accented", model: TableViewModel())
    }
}

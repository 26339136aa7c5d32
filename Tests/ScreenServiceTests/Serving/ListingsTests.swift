import LogLines
import ScreenModel
import ScreenWire
import Synchronization
import Testing

@testable import ScreenService

@Suite("The list of screens") struct ListingsTests {
    @Test func theListOfScreensContainsTheCurrentValuesOfAParameter() async throws {
        let shelf = try await Shelf(["a", "b"])
        #expect(try await shelf.list().contains(#""values":[{"value":"a","title":"Box a"},{"value":"b","title":"Box b"}]"#))
        #expect(try await shelf.list(in: .french).contains(#""title":"Boîte a""#))
    }

    @Test func theListOfScreensIsCachedUntilATopicThatItReadIsAnnounced() async throws {
        let shelf = try await Shelf(["a"])
        let first = try await shelf.service.listing(in: .english).value
        #expect(shelf.service.listing(in: .english).immediateValue === first)
        shelf.topics.announce([Topic("others")])
        #expect(shelf.service.listing(in: .english).immediateValue === first)
        shelf.boxes.set(["a", "b"])
        let second = try await shelf.service.listing(in: .english).value
        #expect(second.version != first.version)
        #expect(second.text.contains(#""value":"b""#))
        shelf.boxes.set(["a"])
        #expect(try await shelf.service.listing(in: .english).value.version == first.version)
    }

    @Test func aListOfScreensThatBecomesOutdatedDuringItsComputationIsNotCached() async throws {
        let shelf = try await Shelf(["a"])
        shelf.boxes.onceRead { shelf.boxes.set(["a", "b"]) }
        _ = try await shelf.service.listing(in: .english).value
        #expect(try await shelf.list().contains(#""value":"b""#))
    }

    @Test func concurrentRequestsForTheListOfScreensShareOneComputation() async throws {
        let shelf = try await Shelf(["a"])
        let (gate, turns) = (Gate(), Turns())
        shelf.boxes.hold(at: gate)
        let requests = (1...20).map { _ in turns.start { try await shelf.list() } }
        await gate.isReached()
        turns.settle()
        gate.open()
        for request in requests { #expect(try await request.awaited.contains(#""value":"a""#)) }
        #expect(shelf.boxes.readCount == 1)
    }

    @Test(arguments: [(Topic("boxes"), 2), (Topic("others"), 1)])
    func requestsAfterAnAnnouncementShareOneCurrentComputationOfTheListOfScreens(topic: Topic, expectedReads: Int) async throws {
        let shelf = try await Shelf(["a"])
        let (gate, turns) = (Gate(), Turns())
        shelf.boxes.hold(at: gate)
        let early = turns.start { try await shelf.list() }
        await gate.isReached()
        shelf.boxes.set(["a", "b"], announcing: topic)
        let late = (1...20).map { _ in turns.start { try await shelf.list() } }
        turns.settle()
        gate.open()
        _ = try await early.awaited
        for request in late { #expect(try await request.awaited.contains(#""value":"b""#) == (topic == Topic("boxes"))) }
        #expect(shelf.boxes.readCount == expectedReads)
    }

    @Test func theListOfScreensContainsTheValuesThatWereReadBeforeTheDeadline() async throws {
        let shelf = try await Shelf(["a"], others: [Lids()])
        shelf.boxes.hang()
        let deadline = Deadline { pass in
            pass(); return {}
        }
        var list = ""
        repeat {
            list = try await shelf.service.listing(in: .english, within: deadline).value.text
        } while !list.contains(#""value":"round""#)
        #expect(list.contains(#""name":"box""#) && list.ranges(of: #""values""#).count == 1)
    }

    @Test func callersWithTheSamePermissionsShareOneDescriptionOfTheScreens() async throws {
        let shelf = try await Shelf(["a"])
        let count = Atomic(0)
        let describe: @Sendable (Offering) -> [UInt8] = { offering in
            count.add(1, ordering: .relaxed)
            return Array(offering.screens.map(\.name).joined().utf8)
        }
        let first = try await shelf.service.description(for: .anonymous, describe).value
        #expect(first.text == "boxes")
        shelf.boxes.set(["b"])
        #expect(shelf.service.description(for: .user("ada"), describe).immediateValue === first)
        #expect(count.load(ordering: .relaxed) == 1)
    }

    @Test func aListOfScreensThatOmitsUnreadableValuesIsNotCached() async throws {
        let lines = LogLines()
        let shelf = try await Shelf(["a"], logging: lines)
        shelf.boxes.fail(DataUnavailable(reason: "busy"))
        let partial = try await shelf.list()
        #expect(partial.contains(#""name":"box""#) && !partial.contains(#""values""#))
        #expect(
            lines.all.contains {
                $0.hasPrefix("error: the values of a screen's parameters could not be read: ") && $0.contains("screen=boxes")
            })
        #expect(try await shelf.list().contains(#""values""#))
    }

    @Test func theListOfScreensOmitsValuesThatCannotBeReadBeforeTheDeadline() async throws {
        let shelf = try await Shelf(
            ["a"],
            deadline: Deadline { pass in
                pass(); return {}
            })
        shelf.boxes.hang()
        #expect(try await !shelf.list().contains(#""values""#))
    }

    @Test func theTextsInTheListOfScreensAreInTheRequestedLanguage() async throws {
        let shelf = try await Shelf([])
        let french = try await shelf.list(in: .french)
        #expect(french.contains(#"{"name":"box","title":"Boîte","description":"Laquelle.","type":"text","#))
        #expect(french.contains(#""format":"search","values":[],"default":"""#))
        #expect(french.contains(#""choices":["wide","high"],"titles":["Large","Haute"],"default":"wide""#))
        #expect(french.contains(#""choices":["wide","high"],"titles":["Large","Haute"],"required":false"#))
        #expect(french.contains(#"{"name":"lock","title":"Fermer","description":"Ferme.","input":["#))
        #expect(french.contains(#""format":"password","required":true"#) && french.contains(#""format":"email","required":false"#))
        #expect(try await shelf.list().contains(#"{"name":"box","title":"Box","description":"Which one.","type":"text","#))
    }
}

@Suite("Example screens") struct ScreenExampleTests {
    private struct Shown: Screen {
        static let name = "shown"
        static var example: ScreenExample? { ScreenExample(source: "/nowhere/Shown.swift", restoration: "back") }
        let visibility = Visibility.everyone
        let actions: [Action]

        let title: Text = "Shown"

        func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Row>> {
            ScreenContent(title: "Shown", model: TableViewModel(section: TableViewSection(id: "all", cells: [])))
        }
    }

    @Test func theSourceCodeOfAScreenIsNilIfItsFileIsMissing() throws {
        let catalog = try ScreenCatalog([Shown(actions: [Action("back", "Goes back.") { _ in }])])
        #expect(try catalog.source(of: "shown", for: .anonymous) == nil)
        let list = String(decoding: catalog.document(in: .english), as: UTF8.self)
        #expect(list.contains(#""example":{"restore":"back"}"#))
    }
}

/// A service with a screen whose parameter has values from a store.
private struct Shelf {
    let topics = Topics()
    let boxes: BoxStore
    let service: ScreenService

    init(
        _ names: [String], deadline: Deadline = .after(.seconds(3600)), logging lines: LogLines = LogLines(), others: [any Screen] = []
    ) async throws {
        boxes = BoxStore(names, topics)
        service = try await ScreenService(
            catalog: try ScreenCatalog([Boxes(store: boxes)] + others, locales: [.english, .french]), store: TestStore(topics: topics),
            deadline: deadline, logger: lines.logger
        )
    }

    func list(in locale: ScreenLocale = .english) async throws -> String {
        try await service.listing(in: locale).value.text
    }
}

private final class BoxStore: Sendable {
    private struct State {
        var names: [String]
        var failure: (any Error)?
        var hangs = false
        var gate: Gate?
        var readCount = 0
        var onceRead: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>
    private let topics: Topics

    init(_ names: [String], _ topics: Topics) {
        state = Mutex(State(names: names))
        self.topics = topics
    }

    func set(_ names: [String], announcing topic: Topic = Topic("boxes")) {
        state.withLock { $0.names = names }
        topics.announce([topic])
    }

    /// Makes the next read fail.
    func fail(_ error: any Error) { state.withLock { $0.failure = error } }

    /// Makes reads hang until they are cancelled.
    func hang() { state.withLock { $0.hangs = true } }

    /// Makes the next read wait at a gate after it has read the names.
    func hold(at gate: Gate) { state.withLock { $0.gate = gate } }

    var readCount: Int { state.withLock { $0.readCount } }

    /// Sets a function that the next read calls before it returns.
    func onceRead(_ call: @escaping @Sendable () -> Void) { state.withLock { $0.onceRead = call } }

    func names() async throws -> [String] {
        topics.recorder?.record(Topic("boxes"))
        let (names, failure, hangs, onceRead, gate) = state.withLock { state in
            defer { (state.failure, state.onceRead, state.gate) = (nil, nil, nil) }
            state.readCount += 1
            return (state.names, state.failure, state.hangs, state.onceRead, state.gate)
        }
        await gate?.pass()
        onceRead?()
        if let failure { throw failure }
        if hangs { try await Task.sleep(for: .seconds(3600)) }
        return names
    }
}

private struct Boxes: Screen {
    enum Shape: String, CaseIterable { case wide, high }

    static let name = "boxes"
    static let box = Parameter.text("box", title: Text("Box", fr: "Boîte"), Text("Which one.", fr: "Laquelle.")).format(.search)
    static let shape = Parameter.choice(
        "shape", default: Shape.wide, "Which shape.", titles: [Text("Wide", fr: "Large"), Text("High", fr: "Haute")]
    )
    static let key = Field.text("key", "Key").format(.password)
    static let owner = Field.text("owner", "Owner").format(.email)
    static let side = Field<Shape>.choice("side", "Side", titles: [Text("Wide", fr: "Large"), Text("High", fr: "Haute")]).optional

    let visibility = Visibility.everyone
    let parameters: [any ParameterDeclaring] = [box, shape]
    let store: BoxStore

    let actions = [
        Action("lock", title: Text("Lock", fr: "Fermer"), Text("Locks.", fr: "Ferme."), key, owner.optional, side) { _, _, _, _ in }
    ]

    let title: Text = "Boxes"

    var values: [ParameterValues] {
        [
            ParameterValues(of: Self.box) { [store] locale, _ in
                try await store.names().map { ParameterValue($0, title: "\(locale == .french ? "Boîte" : "Box") \($0)") }
            }
        ]
    }

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Row>> {
        ScreenContent(title: "Boxes", model: TableViewModel(section: TableViewSection(id: "all", cells: [])))
    }
}

/// A screen with a parameter whose values are always available.
private struct Lids: Screen {
    static let name = "lids"
    static let lid = Parameter.text("lid", "Which one.")

    let visibility = Visibility.everyone
    let parameters: [any ParameterDeclaring] = [lid]
    let values = [ParameterValues(of: lid) { _, _ in [ParameterValue("round", title: "Round")] }]
    let title: Text = "Lids"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Row>> {
        ScreenContent(title: "Lids", model: TableViewModel())
    }
}

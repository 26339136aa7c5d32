import Foundation
import ScreenDiff
import ScreenModel
import ScreenWire
import Testing

@testable import ScreenClient

@MainActor @Suite(.timeLimit(.minutes(1))) struct Bindings {
    private typealias Words = DiffableSnapshot<Int, String>
    private let loop = FeedbackLoop<[String], [String]>(initial: ["a", "b"], reduce: { $0 = $1 })
    private let server = ScriptedTransport()

    private nonisolated static func snapshot(of words: [String]) -> Words {
        var snapshot = Words()
        snapshot.appendSections([0])
        snapshot.appendItems(words.map { String($0.prefix(1)) })
        return snapshot
    }

    // MARK: - Loops

    @Test func aDiffableDataSourceShowsEachStateOfALoop() async {
        let view = ShownRows()
        let dataSource = DiffableDataSource<Int, String>(view)
        let binding = dataSource.bind(to: loop.map(Self.snapshot))
        await whenReleased { dataSource.snapshot().itemIdentifiers == ["a", "b"] }
        #expect(view.calls == [.reload], "the first value is not animated")
        loop.send(["b", "c"])
        await whenReleased { dataSource.snapshot().itemIdentifiers == ["b", "c"] }
        #expect(view.calls.suffix(1) == [.batch] && view.calls.count == 2)
        withExtendedLifetime(binding) {}
    }

    @Test func aValueIsComputedFromTheShownStateAndTheNewState() async {
        let view = ShownRows()
        let dataSource = DiffableDataSource<Int, String>(view)
        let binding = dataSource.bind(to: loop.states) { shown, words in
            var snapshot = Self.snapshot(of: words)
            snapshot.reconfigureItems(words.filter { shown?.contains($0) == false }.map { String($0.prefix(1)) })
            return snapshot
        }
        await whenReleased { dataSource.snapshot().numberOfItems == 2 }
        // The two new states are equal. Whether or not the loop skips the first of them, the changed word is updated once.
        loop.send(["a", "bee"])
        loop.send(["a", "bee"])
        await whenReleased { view.reconfigured > 0 }
        loop.send(["apple", "bee"])
        await whenReleased { view.reconfigured > 1 }
        #expect(view.reconfigured == 2)
        withExtendedLifetime(binding) {}
    }

    @Test func aListViewPerformsTheDifferencesBetweenTwoModels() async {
        let (rows, loop) = (ModelRows(), FeedbackLoop<[Int], [Int]>(initial: [1, 2], reduce: { $0 = $1 }))
        let binding = rows.bind(to: loop.states)
        await whenReleased { rows.model == [1, 2] }
        loop.send([2, 3])
        await whenReleased { rows.model == [2, 3] }
        #expect(rows.view.calls == [.reload, .batch])
        withExtendedLifetime(binding) {}
    }

    @Test func aBindingEndsWhenItIsReleased() async throws {
        let dataSource = DiffableDataSource<Int, String>(ShownRows())
        var binding: DataBinding? = dataSource.bind(to: loop.map(Self.snapshot))
        await whenReleased { dataSource.snapshot().numberOfItems == 2 }
        let task = binding?.task
        loop.send(["c"])
        binding = nil
        try await task?.ended()
        #expect(dataSource.snapshot().itemIdentifiers == ["a", "b"])
    }

    @Test func aBindingEndsWhenItsDataSourceIsReleased() async throws {
        var dataSource: DiffableDataSource<Int, String>? = DiffableDataSource(ShownRows())
        let binding = dataSource!.bind(to: loop.map(Self.snapshot))
        await whenReleased { dataSource?.snapshot().numberOfItems == 2 }
        weak let released = dataSource
        dataSource = nil
        #expect(released == nil)
        loop.send(["c"])
        try await binding.task.ended()
    }

    @Test func aBindingEndsWhenItsLoopIsReleased() async throws {
        var loop: FeedbackLoop<[String], [String]>? = FeedbackLoop(initial: ["a"], reduce: { $0 = $1 })
        let dataSource = DiffableDataSource<Int, String>(ShownRows())
        let binding = dataSource.bind(to: loop!.map(Self.snapshot))
        await whenReleased { dataSource.snapshot().numberOfItems == 1 }
        loop = nil
        try await binding.task.ended()
        #expect(dataSource.snapshot().itemIdentifiers == ["a"])
    }

    // MARK: - Screens

    /// Returns a screen that shows version `1` with the letters `ab`, its open stream, and the task that follows it.
    private func followed() async throws -> (screen: LiveScreen, stream: ScriptedExchange, following: Task<Void, Never>) {
        let screen = ScreenClient(
            base: URL(string: "http://test")!, registry: CellRegistry(), transport: server, snapshots: nil, attempts: nil
        ).screen("letters")
        let following = Task { await screen.follow() }
        try await server.next().respond(200, Letters.snapshot("1", "ab"))
        let stream = try await server.next()
        stream.open()
        return (screen, stream, following)
    }

    @Test func aDiffableDataSourceShowsTheCellsOfAScreen() async throws {
        let (screen, stream, following) = try await followed()
        let view = ShownRows()
        let dataSource = DiffableDataSource<String, String>(view)
        let binding = dataSource.bind(to: screen)
        await whenReleased { dataSource.snapshot().itemIdentifiers == ["a", "b"] }
        stream.event("changeset", Letters.insert("c", at: 0, from: "1", to: "2"))
        await whenReleased { dataSource.snapshot().itemIdentifiers == ["c", "a", "b"] }
        #expect(view.calls == [.reload, .batch])
        stream.event(
            "changeset",
            #"{"kind":"changeset","screen":"letters","from":"2","version":"3","stages":[{"updateCells":[{"at":[0,1],"cell":{"id":"a","type":"letter","n":1}}]}]}"#
        )
        await whenReleased { view.reconfigured > 0 }
        #expect(view.reconfigured == 1 && dataSource.snapshot().itemIdentifiers == ["c", "a", "b"])
        stream.event("snapshot", Letters.snapshot("4", "cab", disabled: true))
        await whenReleased { view.reconfigured > 1 }
        #expect(view.reconfigured == 4, "all cells changed")
        withExtendedLifetime(binding) { following.cancel() }
    }

    @Test func aCellIsLookedUpInTheContentThatTheDataSourceShows() async throws {
        let (screen, stream, following) = try await followed()
        let dataSource = DiffableDataSource<String, String>(ShownRows())
        let binding = dataSource.bind(to: screen)
        await whenReleased { dataSource.snapshot().itemIdentifiers == ["a", "b"] }
        stream.event("changeset", Letters.insert("c", at: 0, from: "1", to: "2"))
        await whenReleased { dataSource.snapshot().itemIdentifiers == ["c", "a", "b"] }
        let place = CellPlace(section: 0, item: 0)
        #expect(binding.model?.version == "2" && binding.cell(for: "c", at: place)?.id == "c")
        #expect(binding.cell(for: "b", at: place)?.id == "b" && binding.cell(for: "b", at: CellPlace(section: 4, item: 9))?.id == "b")
        #expect(binding.cell(for: "z", at: place) == nil)
        following.cancel()
    }

    @Test func aListViewPerformsTheStagesOfAScreen() async throws {
        let (screen, stream, following) = try await followed()
        let rows = ScreenRows()
        let binding = rows.bind(to: screen)
        await whenReleased { rows.letters == "ab" }
        #expect(rows.view.calls == [.reload])
        stream.event("changeset", Letters.insert("c", at: 1, from: "1", to: "2"))
        await whenReleased { rows.letters == "acb" }
        stream.event("snapshot", Letters.snapshot("3", "ba"))
        await whenReleased { rows.letters == "ba" }
        #expect(rows.view.calls == [.reload, .batch, .reload])
        withExtendedLifetime(binding) { following.cancel() }
    }

    @Test func theChangesOfAScreenAreNotCollectedAfterTheBindingIsReleased() async throws {
        let (screen, _, following) = try await followed()
        let rows = ScreenRows()
        var binding: DataBinding? = rows.bind(to: screen)
        await whenReleased { rows.letters == "ab" }
        let task = binding?.task
        binding = nil
        try await task?.ended()
        #expect(screen.mailboxes.allSatisfy { $0.mailbox == nil })
        following.cancel()
    }

    @Test func aBindingEndsWhenItsScreenIsReleased() async throws {
        var screen: LiveScreen? = ScreenClient(base: URL(string: "http://test")!, transport: server, snapshots: nil, attempts: nil)
            .screen("letters")
        let rows = ScreenRows()
        let binding = rows.bind(to: screen!)
        await whenReleased { rows.view.calls == [.reload] }
        screen = nil
        try await binding.task.ended()
    }
}

/// A list view that records its batches and reloads.
@MainActor private final class ShownRows: BatchUpdating {
    enum Call {
        case batch, reload
    }

    private(set) var calls: [Call] = []
    /// The number of cells that were reconfigured.
    private(set) var reconfigured = 0
    let isShown = true

    func reloadData() { calls.append(.reload) }

    func performBatch(_ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void) {
        calls.append(.batch)
        updates()
        completion(true)
    }

    func perform(_ operation: ListOperation) {
        if case .reconfigureCells(let places) = operation { reconfigured += places.count }
    }
}

/// The data source of a list view that shows a model.
@MainActor private final class ModelRows: BindableDataSource {
    let view = ShownRows()
    private(set) var model: [Int] = []

    func show(_ new: [Int], animated: Bool) {
        guard animated else {
            model = new
            return view.reloadData()
        }
        view.reload(using: StagedChangeset(source: model, target: new)) { model = $0 }
    }
}

/// The data source of a list view that shows a screen.
@MainActor private final class ScreenRows: BindableDataSource {
    let view = ShownRows()
    private var sections = ListModel.Sections()

    var letters: String { sections.flatMap(\.cells).map(\.id).joined() }

    func show(_ update: ListUpdate, animated: Bool) {
        view.reload(using: update) { sections = $0 }
    }
}

import ScreenModel
import ScreenWire
import Synchronization

@testable import ScreenService

/// A list with three revisions. Revision 2 adds mountain cells. Revision 3 shows the number of rows in the footer.
struct Ledger: Screen {
    static let name = "ledger"
    static let revisions = 1...3
    let page: LedgerPage
    let visibility = Visibility.everyone

    var actions: [Action] {
        [Action("record", "Records the revision of the request.") { page.record($0.revision) }]
    }

    let title: Text = "Ledger"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Label, AnyCell>> {
        let list = page.read()
        let sections = list.sections.map { group in
            TableViewSection(
                id: group.id, header: group.header, footer: request.revision < 3 ? group.footer : Label("\(group.rows.count) rows"),
                cells: group.rows.map { row in
                    request.revision > 1 && row.isMountain ? AnyCell(MountainCell(row: row)) : AnyCell(row)
                }
            )
        }
        return ScreenContent(title: list.title, model: TableViewModel(sections: sections))
    }
}

/// The cell of a mountain in revisions 2 and 3. The fallback of the cell is a plain row.
private struct MountainCell: CellContent, FallbackProviding, Equatable {
    let row: Row
    var id: String { row.id }
    var fallbackView: Fallback { .view(row) }

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("height", \.row.number)
    }
}

extension Row {
    var isMountain: Bool { text == "🏔" }
}

/// The data of the ledger.
final class LedgerPage: Sendable {
    private static let topic = Topic("ledger")
    private let list: Mutex<List>
    private let revisions = Mutex<[Int]>([])
    let topics: Topics

    init(_ list: List, announcingTo topics: Topics) {
        self.list = Mutex(list)
        self.topics = topics
    }

    /// The revisions for which the action was performed.
    var recorded: [Int] { revisions.withLock { $0 } }

    func record(_ revision: Int) {
        revisions.withLock { $0.append(revision) }
    }

    func read() -> List {
        topics.recorder?.record(Self.topic)
        return list.withLock { $0 }
    }

    func write(_ list: List) {
        self.list.withLock { $0 = list }
        topics.announce([Self.topic])
    }
}

/// A service with the ledger as its only screen.
struct LedgerService: Sendable {
    let page: LedgerPage
    let service: ScreenService

    init(_ list: List, over history: any HistoryStoring = HistoryInMemory()) async throws {
        let topics = Topics()
        page = LedgerPage(list, announcingTo: topics)
        service = try await ScreenService(
            catalog: try ScreenCatalog([Ledger(page: page)]),
            store: TestStore(topics: topics, history: history, receipts: ReceiptsInMemory(), hash: .fixed), logger: .silent
        )
    }

    func view(_ revision: Int?) throws -> ScreenView {
        try service.catalog.view(
            of: Ledger.name, parameters: [], revision: revision.map(String.init), locale: .english, caller: .anonymous
        )
    }

    func snapshot(_ revision: Int?) async throws -> HeldDocument {
        try await HeldDocument(service.snapshot(of: view(revision)).value.bytes)
    }
}

/// An app that shows the ledger and requests its changes.
struct LedgerApp {
    private var service: LedgerService
    /// The revision that the app was built for, or `nil` for an app that sends no revision.
    var revision: Int?
    private(set) var held: HeldDocument

    init(of service: LedgerService, revision: Int? = nil) async throws {
        self.service = service
        self.revision = revision
        held = try await service.snapshot(revision)
    }

    /// Returns a copy of the app that is connected to another service.
    func moved(to service: LedgerService) -> LedgerApp {
        var app = self
        app.service = service
        return app
    }

    /// Requests the changes since the version that the app holds, and applies them.
    ///
    /// - Returns: The received changeset, or `nil` if the service sent a snapshot because the snapshot is smaller.
    @discardableResult
    mutating func catchUp() async throws -> JSONValue? {
        let version: String? = if case .string(let version)? = held["version"] { version } else { nil }
        let answer = try await service.service.changes(of: service.view(revision), from: version).value
        let document = try JSONReader.read(answer.bytes).sorted
        if document["kind"] == .string("changeset") {
            try held.apply(document)
            return document
        }
        guard document["reason"] == .string("smaller") else { throw HeldDocument.Violation("a snapshot: \(document)") }
        held = try HeldDocument(answer.bytes)
        held["reason"] = nil
        return nil
    }
}

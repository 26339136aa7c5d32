public import ScreenModel
public import ScreenWire

/// One list screen, computed from data: the contract between a team's code and the service.
///
/// A new screen is one type that conforms, and one line where screens are listed; it is then
/// served, cached, diffed, kept in history and documented under `GET /screens`.
///
///     struct Mountains: Screen {
///         static let name = "mountains"
///         static let query = Parameter.text("q", "A part of the name.")
///
///         let title: Text = "Mountains"
///         let visibility = Visibility.everyone
///         let parameters: [any ParameterDeclaring] = [query]
///         let store: any Store
///
///         func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, MountainCell>> {
///             let query = request[Self.query]
///             let mountains = try await store.read { try $0.mountains(named: query) }
///             return ScreenContent(title: "Mountains", model: TableViewModel(cells: mountains.map(MountainCell.init)))
///         }
///     }
public protocol Screen<Model>: Sendable {
    /// `TableViewModel` or `CollectionViewModel`, of views and cells that write themselves.
    associatedtype Model: RenderableModel

    /// The screen's name in paths. Small letters, digits and hyphens.
    static var name: String { get }

    /// The revisions of its cells and actions that are served, `1...1` by default.
    ///
    /// A client says for which it was built; one that says none is older than the second, and gets the oldest. So a screen
    /// whose next app has other cells serves `1...2`, computes for ``ScreenRequest/revision``, and drops 1 when no app
    /// needs it any more. Asked for once.
    static var revisions: ClosedRange<Int> { get }

    /// Whether all users see the same. A screen for everyone must not look at the user.
    var visibility: Visibility { get }

    /// Who may have it; asked for once. By default everyone, or each user their own, as ``visibility`` says. It is decided from
    /// who asks, with each request; content is computed for its audience, whoever of it asks.
    var access: Access { get }

    /// The types of the cells that it may show, for descriptions of the screen; nil where any may come. By default those that
    /// its model says. `AnyCell` says none: a screen that mixes cells lists them.
    static var cellTypes: [any ViewContent.Type]? { get }

    /// The types of the headers, footers and supplementary views that it may show, in the same way.
    static var viewTypes: [any ViewContent.Type]? { get }

    /// What the query string may say. Empty by default.
    var parameters: [any ParameterDeclaring] { get }

    /// The values that some of them can have just now, for who chooses one. Empty by default.
    var values: [ParameterValues] { get }

    /// What a client can have done here; a catalog asks for it once. Empty by default.
    var actions: [Action] { get }

    /// What makes it an example that anyone may play with; nil, by default, for a team's own screen.
    static var example: ScreenExample? { get }

    /// The title in the list of screens.
    var title: Text { get }

    /// Computes the model from data that it reads in one transaction.
    ///
    /// Runs without others for the same view at the same time. What stores read meanwhile is
    /// recorded: the result is kept until some of it changes.
    ///
    /// - Throws: ``ScreenError`` for what the client can mend; anything else is an internal error.
    func content(for request: ScreenRequest) async throws -> ScreenContent<Model>

    /// Runs for as long as at least one client waits for changes of this screen for an audience, by
    /// a stream or a request that waits; it is cancelled when the last one leaves.
    ///
    /// For work that is only worth doing while somebody watches, such as a scan. Returns at once by
    /// default.
    func whileWatched(by audience: Audience) async
}

extension Screen {
    public static var revisions: ClosedRange<Int> { 1...1 }
    public var access: Access { visibility == .everyone ? .everyone : .users }
    public static var cellTypes: [any ViewContent.Type]? { Model.cellTypes }
    public static var viewTypes: [any ViewContent.Type]? { Model.viewTypes }
    public var parameters: [any ParameterDeclaring] { [] }
    public var values: [ParameterValues] { [] }
    public var actions: [Action] { [] }
    public static var example: ScreenExample? { nil }

    public func whileWatched(by audience: Audience) async {}
}

/// What makes a screen an example.
public struct ScreenExample: Hashable, Sendable {
    /// The path of the file that defines it, on the machine that it was built on: `#filePath`.
    public let source: String?
    /// The name of its action, without input, that brings its data back to what they were first.
    public let restoration: String?

    public init(source: String? = nil, restoration: String? = nil) {
        self.source = source
        self.restoration = restoration
    }
}

/// Who shares a screen.
public enum Visibility: Hashable, Sendable {
    /// One computation serves all.
    case everyone
    /// Each user has their own.
    case user
}

/// What a screen computes: its model, and what stands above it.
public struct ScreenContent<Model: Sendable>: Sendable {
    public var title: String
    public var model: Model
    /// The frame, in points, in which cells and views that are `Sized` state their sizes; nil where
    /// the client decides on sizes.
    public var frame: Size?

    public init(title: String, frame: Size? = nil, model: Model) {
        self.title = title
        self.frame = frame
        self.model = model
    }
}

/// What a screen may tell a client to mend.
public enum ScreenError: Error, Hashable {
    /// A parameter has a value of the right form that there is nothing for. The detail is in the language
    /// of the request.
    case noSuchValue(parameter: String, detail: String)
}

extension Screen {
    /// The types of what its cells are, within any variants; nil where any may come.
    package static var shownCellTypes: [any ViewContent.Type]? { shownTypes(cellTypes) }

    /// The types of what its headers, footers and supplementary views are; nil where any may come.
    package static var shownViewTypes: [any ViewContent.Type]? { shownTypes(viewTypes) }

    private static func shownTypes(_ listed: [any ViewContent.Type]?) -> [any ViewContent.Type]? {
        guard var waiting = listed else { return nil }
        var shown: [any ViewContent.Type] = []
        // A variant may be one of itself.
        var seen: Set<ObjectIdentifier> = []
        while !waiting.isEmpty {
            let type = waiting.removeFirst()
            guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
            guard let variants = type.variants else { return nil }
            if variants.contains(where: { $0 == type }) { shown.append(type) }
            waiting = variants + waiting
        }
        return shown
    }
}

/// A model that can be rendered: a table or a collection whose views and cells write themselves.
public protocol RenderableModel: Sendable {
    /// The wire's name for what shows it.
    static var layout: Layout { get }
    /// The types that its cells may have; nil where it does not say.
    static var cellTypes: [any ViewContent.Type]? { get }
    /// The types that its headers, footers and supplementary views may have; nil where it does not say.
    static var viewTypes: [any ViewContent.Type]? { get }
    /// All cells, headers, footers and supplementary views.
    var contents: [any ViewContent] { get }
    /// Writes all sections, in order.
    ///
    /// - Parameter earlier: the model that the same view showed before; nil where there was none, or it is not known.
    func write(to writer: inout SnapshotWriter, after earlier: Self?)
}

extension TableViewModel: RenderableModel where HeaderFooter: ViewContent, Cell: CellContent {
    public static var layout: Layout { .table }
    public static var cellTypes: [any ViewContent.Type]? { Cell.variants }
    public static var viewTypes: [any ViewContent.Type]? { HeaderFooter.variants }

    public var contents: [any ViewContent] {
        sections.flatMap { section -> [any ViewContent] in
            [section.header, section.footer].compactMap { $0 } + section.cells
        }
    }

    public func write(to writer: inout SnapshotWriter, after earlier: TableViewModel?) {
        writer.write(sections, after: earlier?.sections ?? [])
    }
}

extension CollectionViewModel: RenderableModel where Supplementary: ViewContent, Cell: CellContent {
    public static var layout: Layout { .collection }
    public static var cellTypes: [any ViewContent.Type]? { Cell.variants }
    public static var viewTypes: [any ViewContent.Type]? { Supplementary.variants }

    public var contents: [any ViewContent] {
        sections.flatMap { section -> [any ViewContent] in
            [section.header, section.footer].compactMap { $0 } + section.cells + Array(section.supplementaryViews.values)
        }
    }

    public func write(to writer: inout SnapshotWriter, after earlier: CollectionViewModel?) {
        writer.write(sections, after: earlier?.sections ?? [])
    }
}

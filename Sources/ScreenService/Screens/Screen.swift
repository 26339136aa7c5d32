public import Foundation
public import ScreenModel
public import ScreenWire

/// A list screen that is computed from data.
///
/// Declare a type that conforms to this protocol and add it to the list of screens of the server. The service caches the content of the
/// screen, computes changesets, and lists the screen under `GET /screens`. The properties `revisions`, `visibility`, `access` and `actions`
/// are read once.
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
    /// The type of the model, which is a `TableViewModel` or a `CollectionViewModel`.
    associatedtype Model: RenderableModel

    /// The name of the screen in paths. It consists of lowercase letters, digits and hyphens.
    static var name: String { get }

    /// The revisions of the cells and actions that the screen serves. The default is `1...1`.
    ///
    /// If the next version of an app needs different cells, the screen serves `1...2` and computes the content for
    /// ``ScreenRequest/revision``, which clients state. A client that states no revision receives the oldest revision. When no app needs
    /// revision 1 any more, the screen serves `2...2`.
    static var revisions: ClosedRange<Int> { get }

    /// A value that states whether all callers share the same content.
    var visibility: Visibility { get }

    /// The callers that may use the screen. The default is everyone if ``visibility`` is `everyone`, and all users otherwise. Access
    /// depends on the caller of each request, but the content depends only on the audience.
    var access: Access { get }

    /// A Boolean value that indicates whether documents of the screen may be compressed. It is read when the catalog is created. The default
    /// is true.
    ///
    /// The size of a compressed document can reveal a secret in it to an attacker who sees the sizes of encrypted responses, and who can add
    /// text to the same document again and again (the attack is called BREACH). A screen that shows such a secret beside text of
    /// other users returns false.
    var isCompressible: Bool { get }

    /// A Boolean value that indicates whether the content depends on the request alone. The default is false.
    ///
    /// The content of any other screen must read data through a store, record a topic (``Topics/recorder``), or depend on the time
    /// (``ScreenRequest/now(every:)`` and ``ScreenRequest/hasPassed(_:)``). Otherwise the content would never be computed again. Debug builds and
    /// tests report this as an error, and release builds log a warning.
    var isStatic: Bool { get }

    /// The types of the cells that the screen can show, or `nil` if any type is possible. The default is the list of types that the model
    /// declares. A screen whose cells are of type `AnyCell` should list their actual types for the OpenAPI document.
    static var cellTypes: [any ViewContent.Type]? { get }

    /// The types of the headers, footers and supplementary views that the screen can show, or `nil` if any type is possible. The default is
    /// the list of types that the model declares.
    static var viewTypes: [any ViewContent.Type]? { get }

    /// The query parameters of the screen. The default is an empty array.
    var parameters: [any ParameterDeclaring] { get }

    /// The current values of parameters, so that clients can offer a choice. The default is an empty array.
    var values: [ParameterValues] { get }

    /// The actions of the screen. The default is an empty array.
    var actions: [Action] { get }

    /// The properties of an example screen. The default is `nil`.
    static var example: ScreenExample? { get }

    /// The title in the list of screens.
    var title: Text { get }

    /// Computes the content of the screen. All data should be read in one transaction.
    ///
    /// The service records the data that stores read during the computation, and caches the result until this data changes. Computations of
    /// one view do not overlap.
    ///
    /// - Throws: ``ScreenError`` for an error that the client can correct. Any other error is an internal error.
    func content(for request: ScreenRequest) async throws -> ScreenContent<Model>

    /// Runs while streams or waiting requests follow this screen for an audience. When the last of them ends, the task that runs this
    /// function is cancelled. Implement this function for work that is needed only while the screen is visible, such as a scan. The default
    /// implementation returns immediately.
    func whileWatched(by audience: Audience) async
}

extension Screen {
    public static var revisions: ClosedRange<Int> { 1...1 }
    public var access: Access { visibility == .everyone ? .everyone : .users }
    public var isCompressible: Bool { true }
    public var isStatic: Bool { false }
    public static var cellTypes: [any ViewContent.Type]? { Model.cellTypes }
    public static var viewTypes: [any ViewContent.Type]? { Model.viewTypes }
    public var parameters: [any ParameterDeclaring] { [] }
    public var values: [ParameterValues] { [] }
    public var actions: [Action] { [] }
    public static var example: ScreenExample? { nil }

    public func whileWatched(by audience: Audience) async {}
}

/// The properties of an example screen: a source file that clients can request, and an action that restores the initial data.
public struct ScreenExample: Hashable, Sendable {
    /// The path of the source file, usually `#filePath`, or `nil` if the source is not shown.
    public let source: String?
    /// The name of the action that restores the initial data, or `nil` if there is none. The action has no input.
    public let restoration: String?

    public init(source: String? = nil, restoration: String? = nil) {
        self.source = source
        self.restoration = restoration
    }
}

/// A value that states whether all callers share the content of a screen.
public enum Visibility: Hashable, Sendable {
    /// The content is computed once for all callers, and must not depend on the user.
    case everyone
    /// The content is computed for each user.
    case user
}

/// The content of a screen: a title and a model.
public struct ScreenContent<Model: Sendable>: Sendable {
    /// The title of the screen, in the language of the request.
    public var title: String
    /// The sections of the screen.
    public var model: Model
    /// The frame, in points, for which sizes of `Sized` cells and views are computed. It may be `nil` only if none of them is `Sized`.
    public var frame: Size?
    /// The time at which the content changes, for example because an offer ends, or `nil` if it changes only with its data. The content is
    /// computed again at this time. A time in the past has no effect. ``ScreenRequest/hasPassed(_:)`` reads such a time and records it.
    public var until: Date?

    public init(title: String, frame: Size? = nil, until: Date? = nil, model: Model) {
        self.title = title
        self.frame = frame
        self.until = until
        self.model = model
    }
}

/// An error of a screen that the client can correct.
public enum ScreenError: Error, Hashable {
    /// The value of a parameter is well-formed, but names something that does not exist. The detail is in the language of the request.
    case noSuchValue(parameter: String, detail: String)
}

extension Screen {
    /// The concrete types of the cells, or `nil` if any type is possible. A type with variants is replaced by its variants.
    package static var shownCellTypes: [any ViewContent.Type]? { shownTypes(cellTypes) }

    /// The concrete types of the headers, footers and supplementary views, or `nil` if any type is possible.
    package static var shownViewTypes: [any ViewContent.Type]? { shownTypes(viewTypes) }

    private static func shownTypes(_ listed: [any ViewContent.Type]?) -> [any ViewContent.Type]? {
        guard var pending = listed else { return nil }
        var shown: [any ViewContent.Type] = []
        // The types that were already handled. They are skipped, because the variants of a type can include the type itself.
        var seen: Set<ObjectIdentifier> = []
        while !pending.isEmpty {
            let type = pending.removeFirst()
            guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
            guard let variants = type.variants else { return nil }
            if variants.contains(where: { $0 == type }) { shown.append(type) }
            pending = variants + pending
        }
        return shown
    }
}

/// A model that can be rendered: a `TableViewModel` or a `CollectionViewModel` with `CellContent` and `ViewContent`.
public protocol RenderableModel: Sendable {
    /// The kind of list view that shows the model.
    static var layout: Layout { get }
    /// The types that the cells can have, or `nil` if they are not known.
    static var cellTypes: [any ViewContent.Type]? { get }
    /// The types that the headers, footers and supplementary views can have, or `nil` if they are not known.
    static var viewTypes: [any ViewContent.Type]? { get }
    /// All cells, headers, footers and supplementary views.
    var contents: [any ViewContent] { get }
    /// Writes all sections. Cells that equal a cell of the previous model of the view are copied from the previous snapshot.
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
        let earlier = earlier?.sections ?? []
        for (index, section) in sections.enumerated() { writer.write(section, at: index, after: earlier, supplementary: [:]) }
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
        let earlier = earlier?.sections ?? []
        for (index, section) in sections.enumerated() {
            writer.write(section, at: index, after: earlier, supplementary: section.supplementaryViews)
        }
    }
}

public import ScreenModel
public import ScreenWire

/// A model that can be rendered: a table or a collection whose views and cells write themselves.
public protocol RenderableModel: Sendable {
    /// The wire's name for what shows it.
    static var layout: Layout { get }
    /// Writes all sections, in order.
    func write(to writer: inout SnapshotWriter)
}

extension TableViewModel: RenderableModel where HeaderFooter: ViewContent, Cell: CellContent {
    public static var layout: Layout { .table }

    public func write(to writer: inout SnapshotWriter) {
        for section in sections { writer.write(section) }
    }
}

extension CollectionViewModel: RenderableModel where Supplementary: ViewContent, Cell: CellContent {
    public static var layout: Layout { .collection }

    public func write(to writer: inout SnapshotWriter) {
        for section in sections { writer.write(section, supplementary: section.supplementaryViews) }
    }
}

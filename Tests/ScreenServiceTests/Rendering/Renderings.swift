@testable import ScreenService
@testable import ScreenWire

/// A sequence of renderings of one view. Each rendering copies cells from the previous rendering.
final class Renderings<Model: RenderableModel> {
    private var last: (model: Model, rendered: RenderedSnapshot)

    init(of content: ScreenContent<Model>) {
        last = (content.model, SnapshotWriter.render(content, of: "screen", hash: .fixed))
    }

    func render(_ content: ScreenContent<Model>) -> RenderedSnapshot {
        var writer = SnapshotWriter(content, of: "screen", hash: .fixed, after: last.rendered)
        writer.write(content.model, after: last.model)
        last = (content.model, writer.finish(for: .everyone))
        return last.rendered
    }

    /// Renders the next content.
    ///
    /// - Returns: A Boolean value that indicates whether the result equals a rendering without a previous snapshot.
    func next(_ content: ScreenContent<Model>) -> Bool {
        let (again, fresh) = (render(content), SnapshotWriter.render(content, of: "screen", hash: .fixed))
        return again.document.bytes == fresh.document.bytes && again.version == fresh.version && again.outline == fresh.outline
            && again.renamedCount == fresh.renamedCount && again.document.cells.map(\.range) == fresh.document.cells.map(\.range)
            && again.document.sections.map(\.parts) == fresh.document.sections.map(\.parts)
    }
}

extension SnapshotDocument.Section {
    fileprivate var parts: [Range<Int>] { [cells, head.range, header.range, tail.range] }
}

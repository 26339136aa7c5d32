@testable import ScreenService
@testable import ScreenWire

/// The renderings of one view, each after the one before.
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

    /// Whether the next one is as it would be without the one before.
    func next(_ content: ScreenContent<Model>) -> Bool {
        let (again, anew) = (render(content), SnapshotWriter.render(content, of: "screen", hash: .fixed))
        return again.document.bytes == anew.document.bytes && again.version == anew.version && again.outline == anew.outline
            && again.renamedCount == anew.renamedCount && again.document.cells.map(\.range) == anew.document.cells.map(\.range)
            && again.document.sections.map(\.parts) == anew.document.sections.map(\.parts)
    }
}

extension SnapshotDocument.Section {
    fileprivate var parts: [Range<Int>] { [cells, head.range, header.range, tail.range] }
}

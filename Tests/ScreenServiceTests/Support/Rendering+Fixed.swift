import ScreenDiff
import ScreenWire

@testable import ScreenService

extension ContentHash {
    /// A hash with a constant secret, so that versions are the same in all runs.
    static let fixed = fixed(1)

    static func fixed(_ number: UInt8) -> ContentHash {
        ContentHash(secret: (0..<UInt8(secretByteCount)).map { ($0 ^ number) &* 167 &+ 13 })
    }
}

extension List {
    func renderedTable(of screen: String = "letters", hash: ContentHash = .fixed) -> RenderedSnapshot {
        SnapshotWriter.render(table, of: screen, hash: hash)
    }

    func renderedCollection(of screen: String = "letters", hash: ContentHash = .fixed) -> RenderedSnapshot {
        SnapshotWriter.render(collection, of: screen, hash: hash)
    }
}

extension RenderedSnapshot {
    var text: String { String(decoding: document.bytes, as: UTF8.self) }

    /// The content of `sections` in the document.
    var sectionsText: String {
        let text = text
        let start = text.firstRange(of: #""sections":["#)!.upperBound
        return String(text[start...].dropLast(2))
    }

    /// Returns the changeset from another snapshot to this one.
    func changeset(from old: RenderedSnapshot) -> [UInt8] {
        ChangesetDocument.bytes(
            from: old.version.description, isTitleChanged: old.title != title, stages: outline.stages(from: old.outline), to: document
        )!
    }
}

package import ScreenDiff
import ScreenModel

/// A writer of changesets. It copies cells and views from the bytes of the target snapshot.
package struct ChangesetDocument {
    private let target: SnapshotDocument
    private var writer: JSONWriter
    private let limit: Int

    /// Returns the document of a changeset in UTF-8, or `nil` if it would have more bytes than `limit`.
    ///
    /// - Parameters:
    ///   - version: The version that the changeset starts from.
    ///   - isTitleChanged: A Boolean value that indicates whether `version` and the target have different titles.
    ///   - stages: The stages that turn the sections of `version` into the sections of `target`.
    ///   - target: The snapshot after all stages.
    package static func bytes(
        from version: String, isTitleChanged: Bool, stages: [Stage], to target: SnapshotDocument, limit: Int = .max
    ) -> [UInt8]? {
        var document = ChangesetDocument(target: target, writer: JSONWriter(), limit: limit)
        document.open(from: version, isTitleChanged: isTitleChanged)
        for stage in stages {
            document.write(stage)
            if document.isOverLimit { return nil }
        }
        document.writer.write(raw: "]}")
        return document.isOverLimit ? nil : document.writer.bytes
    }

    private var isOverLimit: Bool { writer.bytes.count > limit }

    private mutating func open(from version: String, isTitleChanged: Bool) {
        writer.write(raw: #"{"kind":"changeset""#)
        writer.field("screen", target.screen)
        writer.field("from", version)
        writer.field("version", target.version)
        if isTitleChanged { writer.field("title", target.title) }
        writer.write(raw: #","stages":["#)
    }

    private mutating func write(_ stage: Stage) {
        writer.separate()
        writer.write(raw: "{")
        list("updateCells", stage.updateCells) { $0.update($1) }
        list("insertSections", stage.insertSections) { $0.insert($1) }
        list("deleteCells", stage.deleteCells) { $0.numbers($1.place.section, $1.place.item, $1.count) }
        list("insertCells", stage.insertCells) { $0.insert($1) }
        list("moveCells", stage.moveCells) {
            $0.numbers($1.source.section, $1.source.item, $1.destination.section, $1.destination.item, $1.count)
        }
        list("deleteSections", stage.deleteSections) { $0.writer.write($1) }
        list("moveSections", stage.moveSections) { $0.numbers($1.source, $1.destination) }
        list("updateSections", stage.updateSections) { $0.updateViews(of: $1) }
        writer.write(raw: "}")
    }

    private mutating func list<Element>(
        _ key: String, _ elements: [Element], _ write: (inout ChangesetDocument, Element) -> Void
    ) {
        guard !elements.isEmpty else { return }
        writer.key(key)
        writer.write(raw: "[")
        for element in elements {
            if isOverLimit { return }
            writer.separate()
            write(&self, element)
        }
        writer.write(raw: "]")
    }

    private mutating func numbers(_ numbers: Int...) {
        writer.writeArray(numbers)
    }

    private mutating func update(_ update: CellUpdate) {
        writer.write(raw: #"{"at":"#)
        numbers(update.place.section, update.place.item)
        writer.write(raw: #","cell":"#)
        writer.write(raw: target.bytes(ofCells: update.target.item..<update.target.item + 1, in: update.target.section))
        writer.write(raw: "}")
    }

    private mutating func insert(_ insert: SectionInsert) {
        let section = target.sections[insert.target]
        writer.write(raw: #"{"at":"#)
        writer.write(insert.place)
        writer.write(raw: #","section":"#)
        writer.write(raw: target.bytes[section.head.range])
        for items in insert.newItems {
            writer.separate()
            writer.write(raw: target.bytes(ofCells: items, in: insert.target))
        }
        writer.write(raw: "]")
        writer.write(raw: target.bytes[section.tail.range])
        writer.write(raw: "}}")
    }

    private mutating func insert(_ insert: CellInsert) {
        let first = insert.run.place.item
        writer.write(raw: #"{"at":"#)
        numbers(insert.run.place.section, first)
        writer.write(raw: #","cells":["#)
        writer.write(raw: target.bytes(ofCells: first..<first + insert.run.count, in: insert.targetSection))
        writer.write(raw: "]}")
    }

    private mutating func updateViews(of section: Int) {
        writer.write(raw: #"{"at":"#)
        writer.write(section)
        writer.write(raw: target.bytes[target.sections[section].header.range])
        writer.write(raw: target.bytes[target.sections[section].tail.range])
        writer.write(raw: "}")
    }
}

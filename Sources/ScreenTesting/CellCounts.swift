import ScreenDiff

/// The number of cells in each section, before and after a batch.
struct CellCounts {
    let before: [Int]
    let after: [Int]
    let kind: ListViewKind

    var aCell: String { kind == .tableView ? "a row" : "an item" }

    /// Returns a fault if an element that is deleted, reloaded or updated does not exist. The message names a delete in all cases, because
    /// UIKit performs a reload as a delete and an insert.
    func missingSource(_ place: CellPlace) -> ListViewFault? {
        let (section, item, count) = (place.section, place.item, before.count)
        guard before.indices.contains(section) else {
            let thing = place.isSection ? "section \(section)" : "\(kind.cell) \(item) from section \(section)"
            return ListViewFault(.sourceExists, "attempt to delete \(thing), but there are only \(count) sections before the update")
        }
        if place.isSection || (0..<before[section]).contains(item) { return nil }
        let thing = "\(kind.cell) \(item) from section \(section)"
        return ListViewFault(
            .sourceExists, "attempt to delete \(thing) which only contains \(before[section]) \(kind.cell)s before the update")
    }

    func missingTarget(_ place: CellPlace) -> ListViewFault? {
        let (section, item) = (place.section, place.item)
        guard after.indices.contains(section) else {
            let thing = place.isSection ? "section \(section)" : "\(kind.cell) \(item) into section \(section),"
            return ListViewFault(.targetExists, "attempt to insert \(thing) but there are only \(after.count) sections after the update")
        }
        if place.isSection || (0..<after[section]).contains(item) { return nil }
        let number = "there are only \(after[section]) \(kind.cell)s in section \(section) after the update"
        return ListViewFault(.targetExists, "attempt to insert \(kind.cell) \(item) into section \(section), but \(number)")
    }

    func missingEnd(of move: ListBatch.Move) -> ListViewFault? {
        let (source, target) = move
        let thing = source.isSection ? "section \(source.section)" : "index path (\(source.label))"
        guard before.indices.contains(source.section) else {
            let number = "there are only \(before.count) sections before the update"
            let end = source.isSection ? ", but" : " from a section that does not exist -"
            return ListViewFault(.sourceExists, "attempt to move \(thing)\(end) \(number)")
        }
        if !source.isSection, !(0..<before[source.section]).contains(source.item) {
            let number = "there are only \(before[source.section]) \(kind.cell)s in section \(source.section) before the update"
            return ListViewFault(.sourceExists, "attempt to move \(thing) that does not exist - \(number)")
        }
        guard after.indices.contains(target.section) else {
            let number = "there are only \(after.count) sections after the update"
            let end = source.isSection ? "section \(target.section), but" : "index path (\(target.label)) in section that does not exist -"
            return ListViewFault(.targetExists, "attempt to move \(thing) to \(end) \(number)")
        }
        if source.isSection || (0..<after[target.section]).contains(target.item) { return nil }
        let number = "there are only \(after[target.section]) \(kind.cell)s in section \(target.section) after the update"
        return ListViewFault(
            .targetExists, "attempt to move \(thing) to index path (\(target.label)) that does not exist - \(number)")
    }
}

extension CellPlace {
    /// The text for this place in the messages of UIKit.
    var label: String {
        isSection ? "\(section)" : "{length = 2, path = \(section) - \(item)}"
    }
}

import ScreenModel
import Testing

#if canImport(UIKit)
import UIKit
#elseif canImport(AppKit)
import AppKit
#else
import Foundation
#endif

/// Tests that a model is a collection of its sections.
struct ModelTests {
    typealias Model = TableViewModel<String, Int>
    typealias Section = Model.Section

    var model = Model(sections: [
        Section(id: "a", header: "A", cells: [1, 2]),
        Section(id: "b", footer: "B", cells: [3]),
    ])

    @Test func aModelIsCreatedFromSectionsOrCells() {
        let section = Section(id: "a", cells: [1])
        #expect(Model(sections: [section, section]).sections == [section, section])
        #expect(Model(section: section).sections == [section])
        #expect(Model(cells: [1, 2]).sections == [Section(id: "", cells: [1, 2])])
        #expect(Model().sections.isEmpty)
        #expect(Model([section].lazy.map(\.self)) == Model(section: section))
        #expect(Array(TableViewModel<Never, Int>(cells: [1]).headers) == [nil])
    }

    @Test mutating func theElementsOfAModelAreItsSections() {
        #expect(model.map(\.id) == ["a", "b"])
        #expect(model.last?.footer == "B")
        model[0].append(9)
        #expect(model[0].cells == [1, 2, 9])
        model.replaceSubrange(0..<1, with: [Section(id: "x", cells: []), Section(id: "y", cells: [])])
        model.append(Section(id: "z", cells: []))
        model.swapAt(0, 3)
        #expect(model.map(\.id) == ["z", "y", "b", "x"])
        model.removeFirst(2)
        #expect(model.map(\.id) == ["b", "x"])
    }

    @Test mutating func aCellCanBeReadAndChangedByItsIndexPath() {
        let place = IndexPath(item: 1, section: 0)
        #expect(place == [0, 1] && place.section == 0 && place.item == 1)
        #expect(model[place] == 2)
        #expect(model[[1, 0]] == 3)
        model[place] = 7
        model[[1, 0]] += 1
        #expect(model.map(\.cells) == [[1, 7], [4]])
    }

    @Test mutating func headersAndFootersCanBeReadAndChangedByTheIndexOfTheirSection() {
        #expect(model[header: 0] == "A")
        #expect(model[footer: 0] == nil)
        model[header: 0] = nil
        model[header: 1] = "H"
        model[footer: 0] = "F"
        model[footer: 1]?.append("!")
        #expect(model[0] == Section(id: "a", footer: "F", cells: [1, 2]))
        #expect(model[1] == Section(id: "b", header: "H", footer: "B!", cells: [3]))
        #expect(Array(model.headers) == [nil, "H"])
        #expect(Array(model.footers) == ["F", "B!"])
    }

    @Test mutating func changingACellDoesNotCopyTheOtherCells() {
        func address(of cells: [Int]) -> UnsafePointer<Int>? {
            cells.withUnsafeBufferPointer(\.baseAddress)
        }
        // The optimizer may place the literal array in read-only memory. The first change copies the array, so that later changes need no
        // copy.
        model[[0, 0]] = 6
        let before = address(of: model[0].cells)
        model[[0, 1]] = 7
        model[0][0] = 8
        model.sections[0].cells[0] = 9
        #expect(address(of: model[0].cells) == before)
        #expect(model[0].cells == [9, 7])
    }

    @Test func equalTableModelsHaveEqualHashes() {
        #expect(Set([model, model, Model(cells: [1]), Model()]).count == 3)
    }
}

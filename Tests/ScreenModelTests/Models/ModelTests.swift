import FoundationEssentials
import ScreenModel
import Testing

/// A model is a collection of its sections, in tables and in collections alike.
struct ModelTests {
    typealias Model = TableViewModel<String, Int>
    typealias Section = Model.Section

    var model = Model(sections: [
        Section(id: "a", header: "A", cells: [1, 2]),
        Section(id: "b", footer: "B", cells: [3]),
    ])

    @Test func aModelIsMadeOfSectionsOfOneSectionOrOfCells() {
        let section = Section(id: "a", cells: [1])
        #expect(Model(sections: [section, section]).sections == [section, section])
        #expect(Model(section: section).sections == [section])
        #expect(Model(cells: [1, 2]).sections == [Section(id: "", cells: [1, 2])])
        #expect(Model().sections.isEmpty)
        #expect(Model([section].lazy.map(\.self)) == Model(section: section))
    }

    @Test func itsElementsAreItsSections() {
        #expect(model.count == 2)
        #expect(model.map(\.id) == ["a", "b"])
        #expect(model.last?.footer == "B")
    }

    @Test mutating func aSectionIsChangedThroughItsIndex() {
        model[0].append(9)
        model[1] = Section(id: "c", cells: [])
        #expect(model[0].cells == [1, 2, 9])
        #expect(model.map(\.id) == ["a", "c"])
    }

    @Test mutating func aRangeOfSectionsIsReplaced() {
        model.replaceSubrange(0..<1, with: [Section(id: "x", cells: []), Section(id: "y", cells: [])])
        model.append(Section(id: "z", cells: []))
        model.swapAt(0, 3)
        #expect(model.map(\.id) == ["z", "y", "b", "x"])
        model.removeFirst(2)
        #expect(model.map(\.id) == ["b", "x"])
    }

    @Test mutating func aCellIsReadAndChangedAtItsIndexPath() {
        #expect(model[IndexPath(item: 1, section: 0)] == 2)
        #expect(model[[1, 0]] == 3)
        model[IndexPath(item: 1, section: 0)] = 7
        model[[1, 0]] += 1
        #expect(model[0].cells == [1, 7])
        #expect(model[1].cells == [4])
    }

    @Test func anIndexPathIsASectionThenAnItem() {
        let place = IndexPath(item: 2, section: 1)
        #expect(place == [1, 2])
        #expect(place.section == 1)
        #expect(place.item == 2)
    }

    @Test mutating func headersAndFootersAreReadAndChangedBySection() {
        #expect(model[header: 0] == "A")
        #expect(model[header: 1] == nil)
        #expect(model[footer: 0] == nil)
        #expect(model[footer: 1] == "B")
        model[header: 0] = nil
        model[header: 1] = "H"
        model[footer: 0] = "F"
        model[footer: 1]?.append("!")
        #expect(model[0] == Section(id: "a", footer: "F", cells: [1, 2]))
        #expect(model[1] == Section(id: "b", header: "H", footer: "B!", cells: [3]))
    }

    @Test func headersAndFootersAreLazyCollections() {
        #expect(model.headers.count == 2)
        #expect(model.headers[0] == "A")
        #expect(Array(model.headers) == ["A", nil])
        #expect(Array(model.footers) == [nil, "B"])
    }

    @Test mutating func changingACellCopiesNoOther() {
        func place(of cells: [Int]) -> UnsafePointer<Int>? {
            cells.withUnsafeBufferPointer(\.baseAddress)
        }
        // The optimiser puts an array of literals where it cannot be changed; once changed, it is an ordinary one.
        model[[0, 0]] = 6
        let before = place(of: model[0].cells)
        model[[0, 1]] = 7
        model[0][0] = 8
        model.sections[0].cells[0] = 9
        #expect(place(of: model[0].cells) == before)
        #expect(model[0].cells == [9, 7])
    }

    @Test func equalModelsHashAlike() {
        #expect(Set([model, model, Model(cells: [1]), Model()]).count == 3)
    }

    @Test func aModelWithoutHeadersIsOfNever() {
        let model = TableViewModel<Never, Int>(cells: [1])
        #expect(Array(model.headers) == [nil])
    }
}

extension RangeReplaceableCollection where Element: DifferentiableSection {
    /// Returns the sections after all stages of `changeset`. Elements without a change keep the content that they have in this collection.
    ///
    /// - Throws: the error of the first operation that cannot be applied, for example because this collection is not the source of the
    ///   changeset.
    public func applying(_ changeset: StagedChangeset<Self>) throws(StageMisfit) -> Self {
        var list = SectionedList(self)
        for changeset in changeset {
            try list.apply(changeset.stage, from: SectionedList(changeset.target), isMade: changeset.isMade)
        }
        return Self(zip(list.sections, list.cells).map { Element(source: $0, elements: $1) })
    }
}

extension RangeReplaceableCollection where Element: Differentiable {
    /// Returns the elements after all stages of `changeset`. Elements without a change keep the content that they have in this collection.
    ///
    /// - Throws: the error of the first operation that cannot be applied, for example because this collection is not the source of the
    ///   changeset.
    @_disfavoredOverload
    public func applying(_ changeset: StagedChangeset<Self>) throws(StageMisfit) -> Self {
        let section = changeset.stages.lazy.compactMap(\.firstSection).first ?? 0
        var list = SectionedList([FlatSection(self)])
        do {
            for changeset in changeset {
                let target = SectionedList([FlatSection(changeset.target)])
                try list.apply(changeset.stage.moved(by: 0 &- section), from: target, isMade: changeset.isMade)
            }
        } catch {
            throw error.moved(by: section)
        }
        return Self(list.cells.joined())
    }
}

extension SectionedList {
    fileprivate init<Sections: Collection<Section>>(_ sections: Sections)
    where Section: DifferentiableSection, Cell == Section.Collection.Element {
        self.init(sections: Array(sections), cells: sections.map { Array($0.elements) })
    }
}

extension SectionedList {
    fileprivate mutating func apply(_ stage: Stage, from target: SectionedList, isMade: Bool) throws(StageMisfit) {
        if isMade { try apply(made: stage, from: target) } else { try apply(stage, from: target) }
    }
}

// A list without sections can be shown as one section of a view with several sections. Therefore the index of this section is added to the
// section indices of the stages. The sums wrap on overflow, because a caller can pass any number.
extension Stage {
    @usableFromInline
    func moved(by sections: Int) -> Stage {
        var stage = self
        for index in updateCells.indices {
            stage.updateCells[index].place.section &+= sections
            stage.updateCells[index].target.section &+= sections
        }
        for index in deleteCells.indices { stage.deleteCells[index].place.section &+= sections }
        for index in insertCells.indices {
            stage.insertCells[index].run.place.section &+= sections
            stage.insertCells[index].targetSection &+= sections
        }
        for index in moveCells.indices {
            stage.moveCells[index].source.section &+= sections
            stage.moveCells[index].destination.section &+= sections
        }
        stage.deleteSections = deleteSections.map { $0 &+ sections }
        stage.updateSections = updateSections.map { $0 &+ sections }
        for index in insertSections.indices {
            stage.insertSections[index].place &+= sections
            stage.insertSections[index].target &+= sections
        }
        for index in moveSections.indices {
            stage.moveSections[index].source &+= sections
            stage.moveSections[index].destination &+= sections
        }
        return stage
    }

    fileprivate var firstSection: Int? {
        updateCells.first?.place.section ?? deleteCells.first?.place.section ?? insertCells.first?.run.place.section
            ?? moveCells.first?.source.section
    }

    /// The indices of all sections with changed cells.
    var cellSections: Set<Int> {
        var sections = Set(updateCells.lazy.map(\.place.section))
        for run in deleteCells { sections.insert(run.place.section) }
        for insert in insertCells { sections.insert(insert.run.place.section) }
        for move in moveCells { sections.formUnion([move.source.section, move.destination.section]) }
        return sections
    }
}

extension StageMisfit {
    fileprivate func moved(by sections: Int) -> StageMisfit {
        let place: Place =
            switch place {
            case .cell(let cell): .cell(CellPlace(section: cell.section &+ sections, item: cell.item))
            case .section(let section): .section(section &+ sections)
            }
        return StageMisfit(operation, at: place, cause)
    }
}

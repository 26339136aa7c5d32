import ScreenModel

/// The lists after the stages of a changeset. All lists except the target are computed together when one of them is first read.
@usableFromInline
final class PlayedLists<Collection> {
    @usableFromInline let target: Collection
    private let lastStep: Int
    private let findInPlace: (Stage, _ previous: Collection?) -> UpdatesInPlace
    private let lock = Lock()
    /// Protected by `lock`.
    private var state: State

    private enum State {
        case unplayed(() -> [Collection])
        case played([Collection])
    }

    /// Stores the functions without calling them.
    ///
    /// - Parameters:
    ///   - count: the number of stages.
    ///   - updatesInPlace: returns the updates of a stage that do not replace a view. Its second parameter is the list before the stage, or
    ///     nil if the stage is the first or updates no section.
    ///   - play: computes one list for each stage except the last: the list after this stage.
    @usableFromInline
    init(
        target: Collection, count: Int, updatesInPlace: @escaping (Stage, Collection?) -> UpdatesInPlace,
        play: @escaping () -> [Collection]
    ) {
        self.target = target
        lastStep = count - 1
        findInPlace = updatesInPlace
        state = .unplayed(play)
    }

    /// The list after the stage with an index.
    subscript(step: Int) -> Collection {
        if step == lastStep { return target }
        // `play` is called without the lock, because it calls code outside this package to create sections. Such code can read
        // `data`, or wait for another thread that reads `data`.
        switch known {
        case .played(let lists): return lists[step]
        case .unplayed(let play): return keep(play())[step]
        }
    }

    /// Returns the updates of a stage that do not replace a view.
    ///
    /// - Parameter step: the index of the stage.
    func updatesInPlace(of stage: Stage, step: Int) -> UpdatesInPlace {
        // The list before the stage is needed only if the stage updates sections. A view that has performed the previous stage has read
        // this list, so the list is already computed.
        findInPlace(stage, step > 0 && !stage.updateSections.isEmpty ? self[step - 1] : nil)
    }

    private var known: State {
        var known = State.played([])
        lock.withLock { known = state }
        return known
    }

    /// Stores the computed lists, unless another thread has already stored lists. Returns the stored lists.
    private func keep(_ lists: [Collection]) -> [Collection] {
        var (kept, other) = (lists, State.played(lists))
        lock.withLock {
            if case .played(let first) = state { kept = first } else { swap(&state, &other) }
        }
        return kept
    }
}

/// `PlayedLists` is safe to share between threads, because `state` changes only once, under the lock. The functions
/// capture lists that do not change.
extension PlayedLists: @unchecked Sendable where Collection: Sendable {}

/// The lists after the stages of a changeset, with numbers instead of elements.
///
/// An element of the source is represented by its index among all elements. An element of the target is represented by the bitwise
/// complement of its index, which is negative. The stages are first applied to the numbers of the source. If the last list then contains a
/// number that is not negative, the element with this number survives without an update. The index of the number in the last list is the
/// element's index in the target. In all lists, the number is then replaced by the element's number in the target.
@usableFromInline
struct PlayedNumbers {
    /// For each stage except the last stage, the list after this stage. A surviving element is represented by its number in the target.
    /// There is one exception: until a stage updates a section, the lists contain the number that this section has in the source.
    @usableFromInline private(set) var steps: [SectionedList<Int, Int>] = []

    @usableFromInline
    init<Section, Cell>(_ stages: [Stage], _ source: SectionedList<Section, Cell>, _ target: SectionedList<Section, Cell>) {
        self.init(stages, sourceCounts: source.cells.map { $0.count }, targetCounts: target.cells.map { $0.count })
    }

    private init(_ stages: [Stage], sourceCounts: [Int], targetCounts: [Int]) {
        let target = Self.numbered(targetCounts) { ~$0 }
        var list = Self.numbered(sourceCounts) { $0 }
        for stage in stages {
            do { try list.apply(stage, from: target) } catch { preconditionFailure("the differ's own stages fit: \(error)") }
            steps.append(list)
        }
        let sections = Self.survivors(in: list.sections, of: sourceCounts.count)
        let cells = Self.survivors(in: Array(list.cells.joined()), of: sourceCounts.reduce(0, +))
        steps = steps.dropLast().map { step in
            SectionedList(
                sections: step.sections.map { $0 < 0 ? $0 : sections[$0] },
                cells: step.cells.map { $0.map { $0 < 0 ? $0 : cells[$0] } }
            )
        }
    }

    private static func numbered(_ counts: [Int], _ number: (Int) -> Int) -> SectionedList<Int, Int> {
        var start = 0
        let cells = counts.map { count in
            defer { start += count }
            return (start..<start + count).map(number)
        }
        return SectionedList(sections: counts.indices.map(number), cells: cells)
    }

    /// Returns a number for each element of the source. An element that survives gets the number that it has in the target. Any other
    /// element keeps its number in the source. `list` is the last list, which contains the survivors.
    private static func survivors(in list: [Int], of count: Int) -> [Int] {
        var numbers = Array(0..<count)
        for (place, number) in list.enumerated() where number >= 0 { numbers[number] = ~place }
        return numbers
    }

    @inlinable
    func lists<Section: DifferentiableSection>(
        _ source: SectionedList<Section, Section.Collection.Element>, _ target: SectionedList<Section, Section.Collection.Element>
    ) -> [[Section]] {
        let old = source.cells.flatMap { $0 }
        let new = target.cells.flatMap { $0 }
        return steps.map { step in
            zip(step.sections, step.cells).map { section, cells in
                Section(
                    source: section < 0 ? target.sections[~section] : source.sections[section],
                    elements: cells.map { $0 < 0 ? new[~$0] : old[$0] }
                )
            }
        }
    }
}

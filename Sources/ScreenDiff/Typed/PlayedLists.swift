import ScreenModel

/// What a list shows after each stage of a changeset but the last, computed when it is first asked for, all of it at once.
@usableFromInline
final class PlayedLists<Collection> {
    @usableFromInline let target: Collection
    private let lock = Lock()
    /// Under the lock; does not change once it is played.
    private var state: State

    private enum State {
        case unplayed(() -> [Collection])
        case played([Collection])
    }

    /// - Parameter play: makes the lists after all stages but the last, after which it is the target.
    @usableFromInline
    init(target: Collection, play: @escaping () -> [Collection]) {
        self.target = target
        state = .unplayed(play)
    }

    subscript(step: Int) -> Collection {
        // Played outside the lock: sections are made, by code that may ask for data or wait for someone who does.
        switch known {
        case .played(let lists): lists[step]
        case .unplayed(let play): keep(play())[step]
        }
    }

    private var known: State {
        var known = State.played([])
        lock.withLock { known = state }
        return known
    }

    /// Keeps the lists of those who play at once that are there first, and returns them.
    private func keep(_ lists: [Collection]) -> [Collection] {
        var (kept, other) = (lists, State.played(lists))
        lock.withLock {
            if case .played(let first) = state { kept = first } else { swap(&state, &other) }
        }
        return kept
    }
}

/// What changes does so once, under the lock; what `play` holds are lists, which nothing changes.
extension PlayedLists: @unchecked Sendable where Collection: Sendable {}

/// The stages of a changeset played once, on numbers: the source's cells are numbered from 0, the target's by the
/// complements of theirs, and so are sections.
@usableFromInline
struct PlayedNumbers {
    /// The list after each stage but the last. What survives has its number in the target; a section whose views
    /// are updated has it from that stage on.
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
        // What is no complement in the end has survived.
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

    /// For each number of the source, what stands for it: its complement in the target if it has one.
    private static func survivors(in list: [Int], of count: Int) -> [Int] {
        var numbers = Array(0..<count)
        for (place, number) in list.enumerated() where number >= 0 { numbers[number] = ~place }
        return numbers
    }

    /// The lists that the numbers stand for.
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

import ScreenDiff
import Testing

/// Tests that matching has a limited cost per cell, even if identifiers are repeated many times.
@Suite struct CostOfRepeats {
    @Test(arguments: RepeatingLists.all) func repeatedCellsAreHashedAndComparedALimitedNumberOfTimes(_ lists: RepeatingLists) {
        let counts = Counts()
        let source = lists.source.map { CountedName(name: $0, counts: counts) }
        let target = lists.target.map { CountedName(name: $0, counts: counts) }
        _ = StagedChangeset(source: source, target: target)
        #expect(counts.hashes <= 3 * lists.cellCount)
        #expect(counts.comparisons <= 16 * lists.cellCount)
    }

    @Test(arguments: RepeatingLists.all) func repeatedSectionsAreHashedAndComparedALimitedNumberOfTimes(_ lists: RepeatingLists) {
        let counts = Counts()
        func sections(_ names: [Int]) -> [ArraySection<CountedName, Int>] {
            names.map { ArraySection(model: CountedName(name: $0, counts: counts), elements: []) }
        }
        _ = StagedChangeset(source: sections(lists.source), target: sections(lists.target))
        #expect(counts.hashes <= 3 * lists.cellCount)
        #expect(counts.comparisons <= 16 * lists.cellCount)
    }
}

/// Two long lists that contain each name many times.
struct RepeatingLists: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let source: [Int]
    let target: [Int]

    init(_ description: String, _ source: some Sequence<Int>, _ target: some Sequence<Int>) {
        testDescription = description
        self.source = Array(source)
        self.target = Array(target)
    }

    var cellCount: Int { source.count + target.count }

    /// The length of most lists. With this length, a quadratic cost would exceed every limit in these tests.
    private static let count = 10_000
    private static let numbers = 0..<count
    private static let zeros = repeatElement(0, count: count)

    static let all = [
        RepeatingLists("one name comes", [], zeros),
        RepeatingLists("one name goes", zeros, []),
        RepeatingLists("one name stays", zeros, zeros),
        RepeatingLists("one name for another", zeros, zeros.map { _ in 1 }),
        RepeatingLists("one name for many", zeros, numbers),
        RepeatingLists("many names for one", numbers, zeros),
        RepeatingLists("fewer of one name", zeros, zeros.dropLast(count / 2)),
        RepeatingLists("some names, shuffled", numbers.map { $0 % 7 }, numbers.map { $0 * 3 % 7 }),
        RepeatingLists("each name twice, backwards", numbers.map { $0 / 2 }, numbers.map { $0 / 2 }.reversed()),
        RepeatingLists("each new name twice", numbers, numbers.map { count + $0 / 2 }),
        RepeatingLists("a name now and then, rotated", withZeros, withZeros[4321...] + withZeros[..<4321]),
        RepeatingLists("a name now and then, some left out", withZeros, withZeros.filter { $0 % 90 != 7 }),
        RepeatingLists("another name now and then", withZeros, withZeros.map { $0 == 0 ? -1 : $0 }),
    ]

    private static let withZeros = numbers.map { $0 % 50 == 0 ? 0 : $0 }
}

/// An element that is its own identifier, and that counts how often it is hashed and compared.
private struct CountedName: Hashable, Differentiable {
    let name: Int
    let counts: Counts

    static func == (first: CountedName, second: CountedName) -> Bool {
        first.counts.comparisons += 1
        return first.name == second.name
    }

    func hash(into hasher: inout Hasher) {
        counts.hashes += 1
        hasher.combine(name)
    }
}

private final class Counts {
    var comparisons = 0
    var hashes = 0
}

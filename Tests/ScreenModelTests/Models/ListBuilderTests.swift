import ScreenModel
import Testing

struct ListBuilderTests {
    func list(@ListBuilder<Int> _ elements: () -> [Int]) -> [Int] { elements() }

    @Test func aListBuilderAcceptsElementsAndOptionalsAndSequences() {
        let (one, none): (Int?, Int?) = (1, nil)
        let built = list {
            one
            none
            2
            [3, 4]
            [Int]()
            5...6
            [1, 2].lazy.map { $0 + 6 }
            Set([9])
            sequence(first: 10) { $0 < 11 ? $0 + 1 : nil }
        }
        #expect(built == Array(1...11))
        #expect(list {} == [])
    }

    @Test(arguments: [(true, [0, 1, 9]), (false, [0, 9])])
    func theElementsOfAnIfStatementAreOmittedIfItsConditionIsFalse(shown: Bool, expected: [Int]) {
        let built = list {
            0
            if shown { 1 }
            9
        }
        #expect(built == expected)
    }

    @Test(arguments: [(-1, [1, 2]), (0, []), (1, [3])])
    func aListBuilderUsesTheElementsOfTheBranchThatIsTaken(sign: Int, expected: [Int]) {
        let built = list {
            if sign < 0 {
                1
                2
            } else if sign > 0 {
                3
            } else {
            }
        }
        #expect(built == expected)
    }

    @Test(arguments: [(0, [10]), (1, [11, 12]), (2, [])])
    func aListBuilderUsesTheElementsOfTheMatchingSwitchCase(value: Int, expected: [Int]) {
        let built = list {
            switch value {
            case 0: 10
            case 1:
                11
                12
            default: [Int]()
            }
        }
        #expect(built == expected)
    }

    @Test func aForLoopAddsTheElementsOfEachIteration() {
        let built = list {
            for number in 1...3 {
                number
                if number == 2 { -number }
            }
        }
        #expect(built == [1, 2, -2, 3])
    }

    @Test func aListBuilderCanContainAvailabilityChecksAndDeclarations() {
        let built = list {
            let two = 2
            if #available(macOS 15, *) {
                two
            } else {
                -1
            }
            two * two
        }
        #expect(built == [2, 4])
    }
}

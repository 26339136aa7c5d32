import ScreenModel
import Testing

/// A line is an element, an optional, or a sequence; control flow stands around lines.
struct ListBuilderTests {
    func list(@ListBuilder<Int> _ elements: () -> [Int]) -> [Int] { elements() }

    @Test func anEmptyBlockIsAnEmptyList() {
        #expect(list {} == [])
    }

    @Test func aLineIsAnElement() {
        #expect(list { 1 } == [1])
        #expect(
            list {
                1
                2
                3
            } == [1, 2, 3]
        )
    }

    @Test func aLineIsAnArray() {
        #expect(
            list {
                [1, 2]
                3
                [Int]()
            } == [1, 2, 3]
        )
    }

    @Test func aLineIsAnySequence() {
        #expect(
            list {
                1...2
                [1, 2].lazy.map { $0 + 2 }
                Set([5])
                sequence(first: 6) { $0 < 7 ? $0 + 1 : nil }
            } == [1, 2, 3, 4, 5, 6, 7]
        )
    }

    @Test func aLineIsAnOptionalThatIsLeftOutWhenNil() {
        let one: Int? = 1
        let none: Int? = nil
        #expect(
            list {
                one
                none
                2
            } == [1, 2]
        )
    }

    @Test(arguments: [(true, [0, 1, 9]), (false, [0, 9])])
    func ifLeavesOutItsLines(shown: Bool, expected: [Int]) {
        let built = list {
            0
            if shown { 1 }
            9
        }
        #expect(built == expected)
    }

    @Test(arguments: [(-1, [1, 2]), (0, []), (1, [3])])
    func elseTakesTheOtherLines(sign: Int, expected: [Int]) {
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
    func switchTakesTheLinesOfItsCase(value: Int, expected: [Int]) {
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

    @Test func forRepeatsItsLines() {
        let built = list {
            for number in 1...3 {
                number
                if number == 2 { -number }
            }
        }
        #expect(built == [1, 2, -2, 3])
    }

    @Test func ifAvailableTakesItsLines() {
        let built = list {
            if #available(macOS 15, *) {
                1
            } else {
                2
            }
        }
        #expect(built == [1])
    }

    @Test func declarationsStandBetweenLines() {
        let built = list {
            let two = 2
            two
            two * two
        }
        #expect(built == [2, 4])
    }
}

/// Says which members of a sequence of distinct numbers form a longest increasing subsequence.
///
/// Patience sorting with back-pointers, O(n log n) (Fredman, "On computing the length of longest
/// increasing subsequences", 1975). These members stay in place while all others move, so their
/// number decides how few moves suffice.
///
/// - Parameter kept: the index of a number that shall be a member if that costs none.
/// - Returns: for each number, whether it is a member.
func longestIncreasingSubsequence(of numbers: [Int32], keeping kept: Int?) -> [Bool] {
    let longest = longestIncreasingSubsequence(of: numbers)
    guard let kept, !longest[kept] else { return longest }
    // Those that can be members together with it. It is in every longest subsequence of them, since
    // it could be added to any other.
    let companions = numbers.indices.filter { index in
        index == kept || (index < kept) == (numbers[index] < numbers[kept])
    }
    let members = longestIncreasingSubsequence(of: companions.map { numbers[$0] })
    guard members.count(where: { $0 }) == longest.count(where: { $0 }) else { return longest }
    var isMember = Array(repeating: false, count: numbers.count)
    for (companion, member) in zip(companions, members) { isMember[companion] = member }
    return isMember
}

private func longestIncreasingSubsequence(of numbers: [Int32]) -> [Bool] {
    if isIncreasing(numbers) { return Array(repeating: true, count: numbers.count) }
    // For runs of k + 1 increasing numbers, the least that one ends with, and where that stands.
    var tops = numbers
    var holders = numbers
    var previous = numbers
    let length = pile(numbers, tops: &tops, holders: &holders, previous: &previous)
    var isMember = Array(repeating: false, count: numbers.count)
    var index = Int(holders[length - 1])
    while index >= 0 {
        isMember[index] = true
        index = Int(previous[index])
    }
    return isMember
}

/// - Returns: the length of a longest increasing subsequence.
private func pile(
    _ numbers: [Int32], tops: inout [Int32], holders: inout [Int32], previous: inout [Int32]
) -> Int {
    var tops = tops.mutableSpan
    var holders = holders.mutableSpan
    var previous = previous.mutableSpan
    var length = 0
    // Mostly it goes on where it went on before. One that is out of order does not change that, two do.
    var usual = 0
    var other = 0
    for (index, number) in numbers.enumerated() {
        var place = usual
        if !continues(number, tops, length, at: usual) {
            let isOther = continues(number, tops, length, at: other)
            place = isOther ? other : placeOf(number, tops, length)
            if isOther { usual = other }
            other = place + 1
        }
        if place == usual { usual += 1 }
        previous[index] = place > 0 ? holders[place - 1] : -1
        tops[place] = number
        holders[place] = Int32(truncatingIfNeeded: index)
        length = max(length, place + 1)
    }
    return length
}

/// Whether a run of `place` numbers goes on with this one, and no longer run does.
private func continues(_ number: Int32, _ tops: borrowing MutableSpan<Int32>, _ length: Int, at place: Int) -> Bool {
    (place == 0 || tops[place - 1] < number) && (place == length || tops[place] > number)
}

/// How many of the first `length` of `tops`, which ascend, are less than `number`: without branches,
/// which would be mispredicted at each step.
private func placeOf(_ number: Int32, _ tops: borrowing MutableSpan<Int32>, _ length: Int) -> Int {
    var low = 0
    var count = length
    while count > 0 {
        let half = count / 2
        let isLess = tops[low + half] < number
        low = isLess ? low + half + 1 : low
        count = isLess ? count - half - 1 : half
    }
    return low
}

private func isIncreasing(_ numbers: [Int32]) -> Bool {
    for index in numbers.indices.dropFirst() where numbers[index] <= numbers[index - 1] { return false }
    return true
}

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
    // tops[k]: where the smallest last number of an increasing run of k + 1 numbers stands.
    var tops: [Int32] = []
    var previous = Array(repeating: Int32(-1), count: numbers.count)
    for (index, number) in numbers.enumerated() {
        // Mostly it goes on where it was.
        var low = tops.last.map { numbers[Int($0)] < number } ?? false ? tops.count : 0
        var high = tops.count
        while low < high {
            let middle = (low + high) / 2
            if numbers[Int(tops[middle])] < number { low = middle + 1 } else { high = middle }
        }
        if low > 0 { previous[index] = tops[low - 1] }
        if low == tops.count { tops.append(Int32(index)) } else { tops[low] = Int32(index) }
    }
    var isMember = Array(repeating: false, count: numbers.count)
    var index = tops.last ?? -1
    while index >= 0 {
        isMember[Int(index)] = true
        index = previous[Int(index)]
    }
    return isMember
}

private func isIncreasing(_ numbers: [Int32]) -> Bool {
    for index in numbers.indices.dropFirst() where numbers[index] <= numbers[index - 1] { return false }
    return true
}

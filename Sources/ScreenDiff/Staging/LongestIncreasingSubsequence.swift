/// Returns a Boolean value for each number, which is true for the members of a longest increasing subsequence. The numbers must be
/// distinct, not negative, and less than `Int32.max`.
///
/// The numbers are places of elements in the target. Members of the subsequence stay in place, and all other elements move. So a longest
/// subsequence needs the fewest moves.
///
/// - Parameter kept: the index of a preferred number. If at least one longest subsequence contains this number, such a subsequence is
///   chosen.
func longestIncreasingSubsequence(of numbers: [Int32], keeping kept: Int?) -> [Bool] {
    var runs: ContiguousArray<PairedRun> = []
    runs.reserveCapacity(numbers.count)
    for (index, number) in numbers.enumerated() {
        runs.append(PairedRun(source: Int32(truncatingIfNeeded: index), target: number, count: 1, targetSection: 0))
    }
    return longestIncreasingSubsequence(of: runs.span, in: 0, keeping: kept)
}

/// Returns a Boolean value for each run, which is true for the members of a longest increasing subsequence of the runs in the section
/// `home`.
///
/// A run stands for `count` numbers that increase by one. Either all numbers of a run are members or none, because no number of a different
/// run lies between them. If several subsequences have the greatest length, the result is one with the most runs, so that the fewest runs
/// move.
///
/// - Parameter kept: the index of a preferred run in the section `home`. If at least one longest subsequence contains this run, such a
///   subsequence is chosen.
func longestIncreasingSubsequence(of runs: Span<PairedRun>, in home: Int32, keeping kept: Int?) -> [Bool] {
    let longest = longestIncreasingSubsequence(of: runs, in: home)
    guard let kept, !longest[kept] else { return longest }
    // The runs that can be members together with `kept`. A longest subsequence of these runs always contains `kept`, because `kept` can be
    // added to any subsequence that does not contain it.
    let companions = runs.indices.filter { index in
        runs[index].targetSection == home
            && (index == kept || (index < kept) == (runs[index].target < runs[kept].target))
    }
    let candidates: ContiguousArray<PairedRun> = ContiguousArray(companions.map { runs[$0] })
    let members = longestIncreasingSubsequence(of: candidates.span, in: home)
    var isMember = Array(repeating: false, count: runs.count)
    for (companion, member) in zip(companions, members) { isMember[companion] = member }
    return length(runs, isMember) == length(runs, longest) ? isMember : longest
}

private func length(_ runs: Span<PairedRun>, _ isMember: [Bool]) -> Int {
    runs.indices.reduce(0) { isMember[$1] ? $0 + Int(runs[$1].count) : $0 }
}

/// Finds a longest increasing subsequence by patience sorting in O(n log n), one run at a time (Fredman, "On computing the length of
/// longest increasing subsequences", 1975).
///
/// The top at index k is the least number that ends an increasing subsequence of k numbers. The place of a run is the length of the longest
/// subsequence that the run can continue, which is the number of tops that are less than the first number of the run. First, `place` finds
/// the place of each run. Then `link` links each run to the previous run of its subsequence. The links lead from the end of a longest
/// subsequence to its start.
private func longestIncreasingSubsequence(of runs: Span<PairedRun>, in home: Int32) -> [Bool] {
    if isIncreasing(runs, in: home) { return runs.indices.map { runs[$0].targetSection == home } }
    let count = runs.indices.reduce(0) { $0 + (runs[$1].targetSection == home ? Int(runs[$1].count) : 0) }
    var isMember = Array(repeating: false, count: runs.count)
    // Temporary allocations are used, because an array would be filled with zeros first.
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: runs.count) { places in
        let length = withUnsafeTemporaryAllocation(of: Int32.self, capacity: count + 2) { tops in
            place(runs, in: home, tops, places)
        }
        withUnsafeTemporaryAllocation(of: Link.self, capacity: runs.count) { links in
            var index = Int(link(runs, in: home, places, length: length, links))
            while index >= 0 {
                isMember[index] = true
                index = Int(links[index].previous)
            }
        }
    }
    return isMember
}

/// The links of a run. They determine the longest subsequence with the most runs.
///
/// All runs that end subsequences of one length form a queue. From the start of a queue to its end, the targets decrease, and so does
/// `memberCount`. A new run continues the first run in the queue whose numbers are less than those of the new run. Of all runs that the new
/// run can continue, this first run has the subsequence with the most runs.
private struct Link {
    var previous: Int32 = -1
    /// The number of runs in the subsequence that ends with this run.
    var memberCount: Int32 = 1
    var before: Int32 = -1
    var after: Int32 = -1
    /// The first run of the queue that contains this run. The value is valid only if this run is the last run of the queue.
    var first: Int32 = -1
}

/// Stores the place of each run in `places`. A separate function computes the links, because its branches cannot be predicted and would
/// delay each search.
///
/// - Parameter tops: memory for the tops. A number below all numbers precedes the tops, and a number above all numbers follows them.
/// - Returns: the length of a longest increasing subsequence.
private func place(
    _ runs: Span<PairedRun>, in home: Int32, _ tops: UnsafeMutableBufferPointer<Int32>,
    _ places: UnsafeMutableBufferPointer<Int32>
) -> Int {
    withUnsafeTemporaryAllocation(of: Search.self, capacity: searchedAhead) { searches in
        var length = 0
        (tops[0], tops[1]) = (-1, .max)
        // Two guesses of the place of a run save most searches. The first guess, `usual`, is right for most runs. The second guess,
        // `other`, is the place after the latest run for which `usual` was wrong. If `other` is right for a run, `usual` becomes the place
        // after this run.
        var usual = 0
        var other = 0
        var searched = 0..<0
        for index in runs.indices where runs[index].targetSection == home {
            let run = runs[index]
            let count = Int(run.count)
            var place = usual
            if !continues(run.target, tops, at: usual) {
                let isOther = continues(run.target, tops, at: other)
                if !isOther && index >= searched.upperBound {
                    // If the previous run needed a search, the following runs probably also need searches. In this case, one call of
                    // `search` finds the places of several runs together, which is faster than one call for each run.
                    let wasPreviousSearched = index == searched.upperBound
                    searched = index..<min(index + (wasPreviousSearched ? searchedAhead : 1), runs.count)
                    search(for: runs.extracting(searched), among: tops, length, searches)
                }
                place = isOther ? other : searches[index - searched.lowerBound].place(now: tops)
                if isOther { usual = other }
                other = place + count
            }
            if place == usual { usual += count }
            // After a run of many numbers, the stored search results can be far too low, so they are not used.
            if count > searchedAhead { searched = searched.lowerBound..<min(searched.upperBound, index + 1) }
            for offset in 0..<count { tops[place + 1 + offset] = run.target &+ Int32(truncatingIfNeeded: offset) }
            places[index] = Int32(truncatingIfNeeded: place)
            if place + count > length {
                length = place + count
                tops[length + 1] = .max
            }
        }
        return length
    }
}

/// Links each run to the previous run of its subsequence. Returns the last run of a longest subsequence with the most runs.
private func link(
    _ runs: Span<PairedRun>, in home: Int32, _ places: UnsafeMutableBufferPointer<Int32>, length: Int,
    _ links: UnsafeMutableBufferPointer<Link>
) -> Int32 {
    // For each length, the last run in the queue of the runs that end subsequences of this length. `Link` describes the queues.
    var lasts: ContiguousArray<Int32> = ContiguousArray(repeating: -1, count: length)
    var ends = lasts.mutableSpan
    for index in runs.indices where runs[index].targetSection == home {
        let place = Int(places[index])
        links[index] = Link()
        if place > 0 { linkToQueue(index, of: runs, from: Int(ends[place - 1]), links) }
        append(index, toQueue: &ends[place + Int(runs[index].count) - 1], links)
    }
    return links[Int(ends[length - 1])].first
}

/// Links the run at `index` to the run that it continues in the queue that ends at `last`. Runs of the queue that have greater numbers are
/// removed. They cannot be continued later, because all later runs that continue the queue have even lesser targets than the run at
/// `index`.
private func linkToQueue(
    _ index: Int, of runs: Span<PairedRun>, from last: Int, _ links: UnsafeMutableBufferPointer<Link>
) {
    var previous = Int(links[last].first)
    if previous != last {
        while runs[previous].lastTarget > runs[index].target { previous = Int(links[previous].after) }
        links[previous].before = -1
        links[last].first = Int32(truncatingIfNeeded: previous)
    }
    links[index].previous = Int32(truncatingIfNeeded: previous)
    links[index].memberCount = links[previous].memberCount + 1
}

/// Appends the run at `index` to a queue. Earlier runs are removed from the queue if their subsequences do not have more runs, because the
/// appended run has a lesser target.
private func append(_ index: Int, toQueue last: inout Int32, _ links: UnsafeMutableBufferPointer<Link>) {
    let run = Int32(truncatingIfNeeded: index)
    var before = last
    while before >= 0 && links[Int(before)].memberCount <= links[index].memberCount { before = links[Int(before)].before }
    if before >= 0 {
        links[Int(before)].after = run
        links[index].before = before
        links[index].first = links[Int(last)].first
    } else {
        links[index].first = run
    }
    last = run
}

/// Returns a Boolean value that indicates whether `number` is between the tops at `place` and `place + 1`. The two conditions are computed
/// as one comparison, because two branches would often be mispredicted.
private func continues(_ number: Int32, _ tops: UnsafeMutableBufferPointer<Int32>, at place: Int) -> Bool {
    (tops[place] &- number) & (number &- tops[place + 1]) < 0
}

private let searchedAhead = 8

/// The first number of a run, and the place of the run at the time of the search.
private struct Search {
    let number: Int32
    var place: Int32 = 0

    /// Returns the current place. It can be greater than the stored `place`: since the search, some tops may have been replaced by lesser
    /// numbers, and new tops may have been appended. So more tops can be less than `number`.
    func place(now tops: UnsafeMutableBufferPointer<Int32>) -> Int {
        var place = Int(place)
        while tops[place + 1] < number { place += 1 }
        return place
    }
}

/// Finds the place of each run and stores it in `searches`. The first `length` tops are in ascending order.
///
/// The search has no branches, because they would be mispredicted. Each step compares three tops, which reduces the searched range to a
/// quarter. Reading three tops takes no longer than reading one. Several runs are searched for together, so that the processor overlaps the
/// reads.
private func search(
    for runs: Span<PairedRun>, among tops: UnsafeMutableBufferPointer<Int32>, _ length: Int,
    _ searches: UnsafeMutableBufferPointer<Search>
) {
    // The result is the sign bit of the difference, because the compiler would turn a comparison into a branch.
    func isLess(_ index: Int32, _ number: Int32) -> Int32 {
        Int32(bitPattern: UInt32(bitPattern: tops[Int(index)] &- number) >> 31)
    }
    for index in runs.indices { searches[index] = Search(number: runs[index].target) }
    var count = Int32(truncatingIfNeeded: length)
    while count > 3 {
        let quarter = count / 4
        for index in runs.indices {
            let (number, low) = (searches[index].number, searches[index].place)
            let lessCount =
                isLess(low &+ quarter, number) &+ isLess(low &+ 2 &* quarter, number)
                &+ isLess(low &+ 3 &* quarter, number)
            searches[index].place = low &+ quarter &* lessCount
        }
        count &-= 3 &* quarter
    }
    for index in runs.indices {
        let (number, low) = (searches[index].number, searches[index].place)
        searches[index].place = (low + 1..<low + 1 + count).reduce(low) { $0 &+ isLess($1, number) }
    }
}

private func isIncreasing(_ runs: Span<PairedRun>, in home: Int32) -> Bool {
    var last: Int32 = -1
    for index in runs.indices where runs[index].targetSection == home {
        if runs[index].target <= last { return false }
        last = runs[index].target
    }
    return true
}

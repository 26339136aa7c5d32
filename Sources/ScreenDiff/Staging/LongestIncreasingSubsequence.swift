/// Finds a longest increasing subsequence. Returns one Boolean value for each number. The value is true if the number is a member of
/// the subsequence. The numbers must be distinct, not negative, and less than `Int32.max`.
///
/// Members of the subsequence stay in place, and all other elements move. So a longest subsequence needs the fewest moves.
///
/// - Parameter kept: the index of a preferred number. If any of the longest subsequences contains this number, the result contains it.
func longestIncreasingSubsequence(of numbers: [Int32], keeping kept: Int?) -> [Bool] {
    var runs: ContiguousArray<PairedRun> = []
    runs.reserveCapacity(numbers.count)
    for (index, number) in numbers.enumerated() {
        runs.append(PairedRun(source: Int32(truncatingIfNeeded: index), target: number, count: 1, targetSection: 0))
    }
    return longestIncreasingSubsequence(of: runs.span, in: 0, keeping: kept)
}

/// Finds a longest increasing subsequence of the runs whose targets are in the section `home`. Returns one Boolean value for each run. The
/// value is true if the run is a member of the subsequence.
///
/// A run is a sequence of `count` numbers that increase by one. Either all numbers of a run are members or none, because no number of
/// another run lies between them. If several subsequences have the greatest length, the result is one with the most runs, so that the
/// fewest runs move.
///
/// - Parameter kept: the index of a preferred run in the section `home`. If any of the longest subsequences contains this run, the result
///   contains it.
func longestIncreasingSubsequence(of runs: Span<PairedRun>, in home: Int32, keeping kept: Int?) -> [Bool] {
    let longest = longestIncreasingSubsequence(of: runs, in: home)
    guard let kept, !longest[kept] else { return longest }
    // These runs can be members together with `kept`. Each longest subsequence of these runs contains `kept`, because a
    // subsequence without `kept` becomes longer by adding it.
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

/// Finds a longest increasing subsequence. Returns one Boolean value for each run. The value is true if the run is a member of the
/// subsequence.
///
/// The algorithm is patience sorting with links to previous runs, in O(n log n) (Fredman, "On computing the length of longest
/// increasing subsequences", 1975). It handles a whole run at a time.
private func longestIncreasingSubsequence(of runs: Span<PairedRun>, in home: Int32) -> [Bool] {
    if isIncreasing(runs, in: home) { return runs.indices.map { runs[$0].targetSection == home } }
    let count = runs.indices.reduce(0) { $0 + (runs[$1].targetSection == home ? Int(runs[$1].count) : 0) }
    var isMember = Array(repeating: false, count: runs.count)
    // Temporary allocations are used, because arrays of this length would be filled with zeros first.
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

/// The links of a run that can be the last member of a subsequence.
///
/// Runs that are the last members of equally long subsequences form a queue. From the first run of a queue to the last, both the targets
/// and the values of `memberCount` decrease.
private struct Link {
    /// The previous run of the subsequence.
    var previous: Int32 = -1
    /// The number of runs in the subsequence that ends with this run.
    var memberCount: Int32 = 1
    /// The run before this run in the queue. `after` is the run after this run.
    var before: Int32 = -1
    var after: Int32 = -1
    /// The first run of the queue. The value is valid only while this run is the last run of the queue.
    var first: Int32 = -1
}

/// For each run, computes the length of the subsequence that the run continues. Stores these lengths in `places`. The links are computed
/// by a separate function, because its branches cannot be predicted and would delay each search.
///
/// - Parameter tops: memory for the tops. The top at index k is the least number that ends an increasing subsequence of k numbers. A
///   number below all numbers precedes the tops, and a number above all numbers follows them.
/// - Returns: the length of a longest increasing subsequence.
private func place(
    _ runs: Span<PairedRun>, in home: Int32, _ tops: UnsafeMutableBufferPointer<Int32>,
    _ places: UnsafeMutableBufferPointer<Int32>
) -> Int {
    withUnsafeTemporaryAllocation(of: Search.self, capacity: searchedAhead) { searches in
        var length = 0
        (tops[0], tops[1]) = (-1, .max)
        // Most runs continue at the place where the previous run ended. `usual` is this place. If a run continues at a
        // different place, `usual` stays the same, and `other` is the place where that run ended. If a later run continues at
        // `other`, `usual` changes to `other`.
        var usual = 0
        var other = 0
        // The range of indices in `runs` whose places are stored in `searches`.
        var searched = 0..<0
        for index in runs.indices where runs[index].targetSection == home {
            let run = runs[index]
            let count = Int(run.count)
            var place = usual
            if !continues(run.target, tops, at: usual) {
                let isOther = continues(run.target, tops, at: other)
                if !isOther && index >= searched.upperBound {
                    // If the place of the run directly before this run was also searched for, the places of the next runs
                    // probably must be searched for, too. They are searched for together.
                    let isInARow = index == searched.upperBound
                    searched = index..<min(index + (isInARow ? searchedAhead : 1), runs.count)
                    search(for: runs.extracting(searched), among: tops, length, searches)
                }
                place = isOther ? other : searches[index - searched.lowerBound].place(now: tops)
                if isOther { usual = other }
                other = place + count
            }
            if place == usual { usual += count }
            // After a longer run, the stored places of later runs can be far too low, so these places are searched for again.
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

/// Links each run to the previous run of its subsequence.
///
/// - Returns: the index of the last run of a longest increasing subsequence. If there are several longest subsequences, the result belongs
///   to one with the most runs.
private func link(
    _ runs: Span<PairedRun>, in home: Int32, _ places: UnsafeMutableBufferPointer<Int32>, length: Int,
    _ links: UnsafeMutableBufferPointer<Link>
) -> Int32 {
    // The last run of each queue. There is one queue for each length of a subsequence.
    var lasts: ContiguousArray<Int32> = ContiguousArray(repeating: -1, count: length)
    var ends = lasts.mutableSpan
    for index in runs.indices where runs[index].targetSection == home {
        let place = Int(places[index])
        links[index] = Link()
        // A run is continued only after its last number. After any other number x of the run, the next top is x + 1 or less, so that no
        // target lies between x and the next top.
        if place > 0 { goOn(with: index, of: runs, from: Int(ends[place - 1]), links) }
        put(index, into: &ends[place + Int(runs[index].count) - 1], links)
    }
    return links[Int(ends[length - 1])].first
}

/// Links the run at `index` to the previous run of its subsequence. The previous run is taken from the queue that ends at
/// `last`. It is the first run in the queue whose numbers are less than the target of the run at `index`. Its subsequence has
/// the most runs.
///
/// Runs in the queue with greater numbers are removed. They are not needed later, because all later runs that continue this
/// queue have lesser targets than the run at `index`.
private func goOn(
    with index: Int, of runs: Span<PairedRun>, from last: Int, _ links: UnsafeMutableBufferPointer<Link>
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

/// Appends the run at `index` to the queue for the length of its subsequence. Earlier runs of the queue are removed if their subsequences
/// do not have more runs. The appended run is at least as good as the removed runs, because its target is less.
private func put(_ index: Int, into last: inout Int32, _ links: UnsafeMutableBufferPointer<Link>) {
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

/// Returns a Boolean value that indicates whether `number` can continue an increasing subsequence of `place` numbers, but cannot continue a
/// longer one. The two conditions are computed as one comparison, because each separate branch would be mispredicted.
private func continues(_ number: Int32, _ tops: UnsafeMutableBufferPointer<Int32>, at place: Int) -> Bool {
    (tops[place] &- number) & (number &- tops[place + 1]) < 0
}

/// The maximum number of runs whose places are searched for together. After a run with more numbers than this limit, the places of the next
/// runs are searched for again, because the stored places can be far too low.
private let searchedAhead = 8

/// A number to search for, and the count of tops that were less than this number at the time of the search.
private struct Search {
    let number: Int32
    var place: Int32 = 0

    /// Returns the current number of tops that are less than `number`. It is at least `place`, and only a little greater,
    /// because tops only decrease and new tops are only appended.
    func place(now tops: UnsafeMutableBufferPointer<Int32>) -> Int {
        var place = Int(place)
        while tops[place + 1] < number { place += 1 }
        return place
    }
}

/// Counts for each run the tops that are less than the target of the run, and stores the count in `searches`. The first `length`
/// tops are in ascending order.
///
/// The search has no branches, because they would be mispredicted. Each step compares three tops, and reduces the searched range to a
/// quarter, because reading three tops takes no longer than reading one. The places of several runs are searched for together, so that the
/// processor overlaps the reads.
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

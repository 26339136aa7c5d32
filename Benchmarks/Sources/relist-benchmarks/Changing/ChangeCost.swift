import ExampleRecords
import ScreenWire

/// Measures the cost of a change. The measurement begins with the action and ends when the follower and history have received the change.
func measureChanges() async throws {
    let bench = try await ChangeBench()
    try await bench.measure("rename in settings", in: "settings", atMost: 0.5) { change in
        try await change.perform("rename", ["firstName": .string("Name \(change.number)")])
    }
    try await bench.measure("weigh 1 of 3 deliveries", in: "deliveries", atMost: 0.6) { change in
        try await change.perform("weigh", ["delivery": .string("7534-1"), "kilograms": .number("\(10_000 + change.number % 700)")])
    }
    let large = [(name: "contract", value: "240500-000")]
    for isFollowed in [true, false] {
        try await bench.measure(
            "weigh 1 of 2,000 deliveries" + (isFollowed ? "" : ", which nobody follows"), in: "deliveries", large,
            isFollowed: isFollowed, atMost: 5
        ) { change in
            try await change.perform("weigh", ["delivery": .string("5700-1"), "kilograms": .number("\(20_000 + change.number % 700)")])
        }
    }
    try await bench.measure("replace 1 of 1,000 posts", in: "posts", [(name: "limit", value: "1000")], atMost: 2) { change in
        let post = Post(id: 500, userID: 1, title: "Title \(change.number)", body: "Body")
        try await bench.posts.write { try $0.replacePost(post) }
    }
    try await bench.measure("change 1 of 100,000 cells", in: Rows.name, atMost: 15, memoryAtMost: 2) { change in
        bench.rows.change(50_000, to: change.number)
    }
    let (alone, among) = try await bench.measureTiles()
    Table.row(
        "1 of 1,000 followed views beside 1 alone", "\((among / alone).rounded(to: 2)) x", measured: among / alone,
        atMost: (1.2, "1.2 x")
    )
    for clients in [1, 32] {
        try await bench.measureActions(of: clients, "on one topic") { _ in "demo" }
        try await bench.measureActions(of: clients, "on a topic each") { "user \($0)" }
    }
    await bench.close()
}

extension ChangeBench {
    /// Measures a change of one view. In the first case, only this view is followed. In the second case, a thousand views are followed.
    /// Returns the cost of the change in both cases, in milliseconds.
    fileprivate func measureTiles() async throws -> (alone: Double, among: Double) {
        func measure(_ what: String, beside others: Int) async throws -> Double {
            try await self.measure(
                what, in: Tiles.name, [(name: "index", value: "500")],
                beside: (0..<others).map { [(name: "index", value: String($0))] }
            ) { change in
                tiles.change(500, to: change.number)
            }
        }
        // The first case is measured before and after the second case, because the speed of a machine varies.
        let before = try await measure("change the only followed view", beside: 0)
        let among = try await measure("change 1 of 1,000 followed views", beside: 1000)
        let after = try await measure("change the only followed view again", beside: 0)
        return ((before + after) / 2, among)
    }

    /// Measures the number of actions per second. Each client sends an action as soon as it has received the response to the previous
    /// action.
    ///
    /// - Parameter user: a function that receives the number of a client, and returns the user whose name this client changes.
    fileprivate func measureActions(of clients: Int, _ what: String, _ user: @Sendable @escaping (Int) -> String) async throws {
        let start = ContinuousClock.now
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for client in 0..<clients {
                group.addTask { [self] in
                    let view = try view(of: "settings", [], user(client))
                    var count = 0
                    while .now - start < .seconds(2) {
                        count += 1
                        try await Change(number: count, service: service, view: view)
                            .perform("rename", ["firstName": .string("Name \(client) \(count)")])
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        let rate = Double(count) / ((.now - start) / .seconds(1))
        Table.row("actions of \(clients) client\(clients == 1 ? "" : "s") \(what)", "\(Int(rate)) a second")
    }
}

import ExampleStores
import ScreenWire

/// What one change costs, from when it is asked for until its follower and history have it.
func measureChanges() async throws {
    let bench = try await ChangeBench()
    try await bench.measure("rename in settings", in: "settings", atMost: 0.5) { change in
        try await change.perform("rename", ["firstName": .string("Name \(change.number)")])
    }
    try await bench.measure("weigh 1 of 3 deliveries", in: "deliveries") { change in
        try await change.perform("weigh", ["delivery": .string("7534-1"), "kilograms": .number("\(10_000 + change.number % 700)")])
    }
    let large = [(name: "contract", value: "240500-000")]
    try await bench.measure("weigh 1 of 2,000 deliveries", in: "deliveries", large, atMost: 5) { change in
        try await change.perform("weigh", ["delivery": .string("5700-1"), "kilograms": .number("\(20_000 + change.number % 700)")])
    }
    try await bench.measure("replace 1 of 1,000 posts", in: "posts", [(name: "limit", value: "1000")]) { change in
        let post = Post(id: 500, userID: 1, title: "Title \(change.number)", body: "Body")
        try await bench.posts.write { try $0.replacePost(post) }
    }
    try await bench.measure("change 1 of 100,000 cells", in: Rows.name, atMost: 15) { change in
        bench.rows.change(50_000, to: change.number)
    }
    try await bench.measure(
        "change 1 of 1,000 followed views", in: Tiles.name, [(name: "index", value: "500")],
        beside: (0..<1000).map { [(name: "index", value: String($0))] }
    ) { change in
        bench.tiles.change(500, to: change.number)
    }
    await bench.close()
}

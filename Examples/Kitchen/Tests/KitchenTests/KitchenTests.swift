import RelistTesting
import Testing

@testable import Kitchen

/// Tests of the orders without a server: the roles, the time, and a followed screen.
@Suite struct KitchenTests {
    private let clock = ManualClock()

    private func withClient(_ body: (_ waiter: TestClient) async throws -> Void) async throws {
        try await withTemporaryStore(tables: [OrderBook.table]) { store in
            let screens = [Orders(book: OrderBook(store: store), lateAfter: 15)]
            try await body(TestClient(screens: screens, store: store, user: "ada", claims: ["role": "waiter"], clock: clock))
        }
    }

    @Test func eachRoleIsOfferedItsOwnActions() async throws {
        try await withClient { waiter in
            let cook = waiter.signedIn(as: "lin", claims: ["role": "cook"])
            let chief = waiter.signedIn(as: "grace", claims: ["role": ["cook", "chief"]])
            let placed = try await waiter.perform("place", ["dish": "Ramen", "table": 4], on: waiter.screen("orders"))
            #expect(placed.inserted == ["order-1"], "\(placed)")
            #expect(placed.after.cell("order-1")?.offeredActions == [])
            #expect(try await cook.screen("orders").cell("order-1")?.offeredActions == ["cook"])
            #expect(try await chief.screen("orders").cell("order-1")?.offeredActions == ["cook", "void"])
            await #expect(throws: ActionFault.self) { try await cook.perform("void", ["number": 1], on: cook.screen("orders")) }
        }
    }

    @Test func anOrderIsLateAfterAQuarterOfAnHour() async throws {
        try await withClient { waiter in
            let placed = try await waiter.perform("place", ["dish": "Ramen", "table": 4], on: waiter.screen("orders")).after
            clock.advance(by: .seconds(14 * 60))
            #expect(try await waiter.change(of: placed).updated == [])
            clock.advance(by: .seconds(2 * 60))
            let late = try await waiter.change(of: placed)
            #expect(late.updated == ["order-1"] && late.after.cell("order-1")?.isLate == true, "\(late)")
        }
    }

    @Test func aCookWhoFollowsTheOrdersSeesWhatIsPlaced() async throws {
        try await withClient { waiter in
            let cook = waiter.signedIn(as: "lin", claims: ["role": "cook"])
            let followed = try await cook.follow(cook.screen("orders"))
            _ = try await waiter.perform("place", ["dish": "Ramen", "table": 4], on: waiter.screen("orders"))
            #expect(try await followed.next().inserted == ["order-1"])
            let cooking = try await cook.perform("cook", ["number": 1], on: followed.screen)
            #expect(cooking.moved == ["order-1"] && cooking.deleted == [], "\(cooking)")
        }
    }

    @Test func anUnknownOrderIsAProblemOfTheNumber() async throws {
        try await withClient { waiter in
            let answer = try await waiter.request("/screens/orders/actions/serve", method: "POST", body: #"{"input": {"number": 9}}"#)
            #expect(answer.status == 422 && answer.problem?.errors.map(\.place) == [.pointer("/input/number")])
            #expect(try await waiter.signedIn(as: nil).request("/screens/orders").status == 401)
        }
    }
}

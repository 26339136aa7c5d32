import Foundation
import Relist

/// An order of a table.
struct Order: Hashable, Sendable {
    enum State: String, CaseIterable {
        case waiting, cooking
    }

    let number: Int
    let dish: String
    let table: Int
    /// The time at which the order was placed, in seconds since 1970.
    let placed: Int
    let state: State
}

/// The store of the orders. A read records a topic, and a change announces that topic.
struct OrderBook: Sendable {
    static let table = RecordMigration(
        "orders",
        """
        CREATE TABLE orders (
            number INTEGER PRIMARY KEY, dish TEXT NOT NULL, place INTEGER NOT NULL, placed INTEGER NOT NULL,
            state TEXT NOT NULL DEFAULT 'waiting'
        ) STRICT;
        """
    )
    private static let topic = Topic("orders")

    let store: any RecordStoring

    /// Returns the orders, the oldest first.
    func orders() async throws -> [Order] {
        try await store.read { transaction in
            try transaction.rows(of: Self.topic, "SELECT number, dish, place, placed, state FROM orders ORDER BY placed, number") { row in
                try Order(
                    number: row[0], dish: row[1], table: row[2], placed: row[3], state: Order.State(rawValue: row[4]) ?? .waiting
                )
            }
        }
    }

    func place(_ dish: String, for table: Int, at time: Date) async throws {
        let placed = Int(time.timeIntervalSince1970)
        try await store.write { transaction in
            _ = try transaction.write(
                "INSERT INTO orders (dish, place, placed) VALUES ($1, $2, $3)", [dish, table, placed], announcing: [Self.topic]
            )
        }
    }

    func cook(_ number: Int, in locale: ScreenLocale) async throws {
        try await change("UPDATE orders SET state = 'cooking' WHERE number = $1", number, in: locale)
    }

    /// Removes an order, because it was served or is void.
    func remove(_ number: Int, in locale: ScreenLocale) async throws {
        try await change("DELETE FROM orders WHERE number = $1", number, in: locale)
    }

    private func change(_ statement: String, _ number: Int, in locale: ScreenLocale) async throws {
        try await store.write { transaction in
            let count = try transaction.write(statement, [number], announcing: [Self.topic])
            guard count > 0 else {
                let detail = Text("There is no such order any more.", fr: "Cette commande n’existe plus.")
                throw BrokenRules([BrokenRule(field: "number", detail.in(locale))])
            }
        }
    }
}

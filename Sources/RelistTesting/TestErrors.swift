import Relist

/// An error that is thrown if an action has announced no topic that its screen has read. Then the clients that show the screen do not see what
/// the action did.
public struct NothingChanged: Error, Hashable, CustomStringConvertible {
    public let action: String
    public let screen: String
    /// The topics that the action has announced.
    public let announced: [Topic]
    /// The topics that the screen has read.
    public let reads: [Topic]

    public var description: String {
        let announced = announced.isEmpty ? "nothing" : "only \(announced.map(\.name).sorted())"
        return """
            the action "\(action)" has announced \(announced), but the screen "\(screen)" has read \(reads.map(\.name).sorted()): write the \
            data and read it through the service's store, announce the topic that the screen reads, or pass `mustChange: false`
            """
    }
}

/// An error that is thrown if a followed screen does not change in time.
public struct ScreenUnchanged: Error, Hashable, CustomStringConvertible {
    public let screen: String
    /// The time for which the test has waited.
    public let limit: Duration
    /// The topics that were announced since the last change of the screen.
    public let announced: [Topic]
    /// The topics that the screen has read.
    public let reads: [Topic]
    /// A Boolean value that indicates whether the screen has read what was announced.
    let hasReadAnnounced: Bool

    public var description: String {
        func list(_ topics: [Topic]) -> String {
            topics.isEmpty ? "nothing" : Set(topics.map(\.name)).sorted().joined(separator: ", ")
        }
        let advice =
            hasReadAnnounced
            ? "The screen has read what was announced, so its content is the same as before."
            : "Write the data and read it through the service's store, or announce the topic that the screen reads."
        return """
            the screen "\(screen)" has not changed within \(limit). Topics that it has read: \(list(reads)). Announced topics: \
            \(list(announced)). \(advice)
            """
    }
}

/// An error that is thrown if several cells, or several sections, of a screen have the same id. A server renames the repeated ones to `id#2`,
/// `id#3`, …, so their identity depends on their order.
public struct RepeatedIDs: Error, Hashable, CustomStringConvertible {
    public let screen: String
    /// The ids that occur more than once.
    public let ids: [String]

    public var description: String {
        "the screen \"\(screen)\" repeats the ids \(ids): the ids of cells must be unique in a screen, and those of sections, too"
    }
}

extension ShownScreen {
    /// The ids of cells and sections of which there is a renamed copy, such as `id#2`.
    var repeatedIDs: [String] {
        [sections.map(\.id), cells.map(\.id)].flatMap { ids in
            let copies = Set(ids)
            return ids.filter { copies.contains("\($0)#2") }
        }
    }
}

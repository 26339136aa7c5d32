import SeededRandom
import Synchronization
import TemporaryDatabase

/// A screen that random clients use, with its parameters and actions.
struct Scenario: Sendable {
    /// The paths of views that together show all records that clients write.
    static let writtenTargets = [
        "/screens/deliveries?contract=240311-000", "/screens/deliveries?contract=240402-000", "/screens/settings?",
    ]

    struct Action: Sendable {
        let name: String
        /// A Boolean value that indicates whether the action always results in content that the view never had before.
        let alwaysChanges: Bool
        /// A function that returns the input of the action as JSON, or nil if the screen has no cell for the action.
        let input: @Sendable (HeldScreen, inout SeededGenerator) throws -> String?
    }

    let screen: String
    let queries: [String]
    var actions: [Action] = []
}

extension Scenario {
    static func all() -> [Scenario] {
        let numbers = Numbers()
        return [
            deliveries(numbers), settings(numbers), deliveries(numbers), posts, deliveries(numbers), mountains, wifi, artist,
        ]
    }

    private static func deliveries(_ numbers: Numbers) -> Scenario {
        Scenario(
            screen: "deliveries",
            queries: [
                "contract=240311-000", "contract=240311-000&from=2018-07-15", "contract=240402-000",
                "contract=240311-000&locale=fr",
            ],
            actions: [
                Action(name: "weigh", alwaysChanges: true) { held, random in
                    try held.cells(of: "delivery").randomElement(using: &random).map {
                        #"{"delivery":"\#($0)","kilograms":\#(numbers.next())}"#
                    }
                },
                Action(name: "reschedule", alwaysChanges: false) { held, random in
                    try held.cells(of: "delivery").randomElement(using: &random).map {
                        #"{"delivery":"\#($0)","day":"2018-07-\#(Int.random(in: 10...30, using: &random))"}"#
                    }
                },
                Action(name: "schedule", alwaysChanges: false) { _, random in
                    let (day, kilograms) = (Int.random(in: 10...30, using: &random), Int.random(in: 1...900, using: &random))
                    return #"{"day":"2018-07-\#(day)","kilograms":\#(kilograms)}"#
                },
                Action(name: "cancel", alwaysChanges: false) { held, random in
                    try held.cells(of: "delivery").dropFirst(2).randomElement(using: &random).map { #"{"delivery":"\#($0)"}"# }
                },
            ]
        )
    }

    private static func settings(_ numbers: Numbers) -> Scenario {
        Scenario(
            screen: "settings", queries: ["", "layout=merged", "locale=fr"],
            actions: [
                Action(name: "rename", alwaysChanges: true) { _, _ in #"{"firstName":"Number \#(numbers.next())"}"# },
                Action(name: "rename", alwaysChanges: true) { _, _ in #"{"familyName":"Number \#(numbers.next())"}"# },
                Action(name: "connect", alwaysChanges: false) { _, _ in "{}" },
                Action(name: "disconnect", alwaysChanges: false) { _, _ in "{}" },
            ]
        )
    }

    private static var posts: Scenario {
        Scenario(
            screen: "posts", queries: ["", "limit=40", "limit=60", "limit=35", "locale=fr"],
            actions: [Action(name: "refresh", alwaysChanges: false) { _, _ in "{}" }]
        )
    }

    private static var mountains: Scenario {
        Scenario(screen: "mountains", queries: ["", "q=m", "q=mo", "q=mon", "q=mont", "sort=height", "q=e&sort=height", "q=zzz"])
    }

    private static var wifi: Scenario {
        Scenario(
            screen: "wifi", queries: ["", "locale=fr"],
            actions: [
                Action(name: "toggle", alwaysChanges: false) { _, random in
                    #"{"on":\#(Int.random(in: 0..<4, using: &random) > 0)}"#
                },
                Action(name: "join", alwaysChanges: false) { held, random in
                    try held.cells(of: "network").randomElement(using: &random).map {
                        #"{"network":"\#($0)","password":"12345678"}"#
                    }
                },
            ]
        )
    }

    private static var artist: Scenario {
        Scenario(screen: "artist", queries: ["", "width=500", "album=drift-ice", "album=drift-ice&locale=fr"])
    }
}

/// A source of unique weights in kilograms. No delivery of the examples has one of these weights.
private final class Numbers: Sendable {
    private let last = Mutex(1000)

    func next() -> Int {
        last.withLock { last in
            last += 1
            return last
        }
    }
}

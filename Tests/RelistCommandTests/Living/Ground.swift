import SeededRandom
import Synchronization
import TemporaryDatabase

/// Is where a client wanders: a screen, the parameters that it may ask for, and what it may do.
struct Ground: Sendable {
    /// What shows all that anybody writes there.
    static let written = [
        "/screens/deliveries?contract=240311-000", "/screens/deliveries?contract=240402-000", "/screens/settings?",
    ]

    struct Action: Sendable {
        let name: String
        /// Whether what it does was never there before, and shows to who holds what it is done with.
        let isAlwaysNews: Bool
        /// The input as JSON; nil where there is nothing to do it with.
        let input: @Sendable (HeldScreen, inout SeededGenerator) throws -> String?
    }

    let screen: String
    let queries: [String]
    var actions: [Action] = []
}

extension Ground {
    static func all() -> [Ground] {
        let numbers = Numbers()
        return [
            deliveries(numbers), settings(numbers), deliveries(numbers), posts, deliveries(numbers), mountains, wifi, artist,
        ]
    }

    private static func deliveries(_ numbers: Numbers) -> Ground {
        Ground(
            screen: "deliveries",
            queries: [
                "contract=240311-000", "contract=240311-000&from=2018-07-15", "contract=240402-000",
                "contract=240311-000&locale=fr",
            ],
            actions: [
                Action(name: "weigh", isAlwaysNews: true) { held, random in
                    try held.cells(of: "delivery").randomElement(using: &random).map {
                        #"{"delivery":"\#($0)","kilograms":\#(numbers.next())}"#
                    }
                },
                Action(name: "reschedule", isAlwaysNews: false) { held, random in
                    try held.cells(of: "delivery").randomElement(using: &random).map {
                        #"{"delivery":"\#($0)","day":"2018-07-\#(Int.random(in: 10...30, using: &random))"}"#
                    }
                },
                Action(name: "schedule", isAlwaysNews: false) { _, random in
                    let (day, kilograms) = (Int.random(in: 10...30, using: &random), Int.random(in: 1...900, using: &random))
                    return #"{"day":"2018-07-\#(day)","kilograms":\#(kilograms)}"#
                },
                Action(name: "cancel", isAlwaysNews: false) { held, random in
                    try held.cells(of: "delivery").dropFirst(2).randomElement(using: &random).map { #"{"delivery":"\#($0)"}"# }
                },
            ]
        )
    }

    private static func settings(_ numbers: Numbers) -> Ground {
        Ground(
            screen: "settings", queries: ["", "layout=merged", "locale=fr"],
            actions: [
                Action(name: "rename", isAlwaysNews: true) { _, _ in #"{"firstName":"Number \#(numbers.next())"}"# },
                Action(name: "rename", isAlwaysNews: true) { _, _ in #"{"familyName":"Number \#(numbers.next())"}"# },
                Action(name: "connect", isAlwaysNews: false) { _, _ in "{}" },
                Action(name: "disconnect", isAlwaysNews: false) { _, _ in "{}" },
            ]
        )
    }

    private static var posts: Ground {
        Ground(
            screen: "posts", queries: ["", "limit=40", "limit=60", "limit=35", "locale=fr"],
            actions: [Action(name: "refresh", isAlwaysNews: false) { _, _ in "{}" }]
        )
    }

    private static var mountains: Ground {
        Ground(screen: "mountains", queries: ["", "q=m", "q=mo", "q=mon", "q=mont", "sort=height", "q=e&sort=height", "q=zzz"])
    }

    private static var wifi: Ground {
        Ground(
            screen: "wifi", queries: ["", "locale=fr"],
            actions: [
                Action(name: "toggle", isAlwaysNews: false) { _, random in
                    #"{"on":\#(Int.random(in: 0..<4, using: &random) > 0)}"#
                },
                Action(name: "join", isAlwaysNews: false) { held, random in
                    try held.cells(of: "network").randomElement(using: &random).map {
                        #"{"network":"\#($0)","password":"12345678"}"#
                    }
                },
            ]
        )
    }

    private static var artist: Ground {
        Ground(screen: "artist", queries: ["", "width=500", "album=drift-ice", "album=drift-ice&locale=fr"])
    }
}

/// Gives numbers that were not given before, and are no weights that anybody schedules.
private final class Numbers: Sendable {
    private let last = Mutex(1000)

    func next() -> Int {
        last.withLock { last in
            last += 1
            return last
        }
    }
}

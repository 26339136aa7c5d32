/// The screens and actions that a caller may have: what a list of them, and a description, tells of.
package struct Offering: Hashable, Sendable {
    package struct Screen: Hashable, Sendable {
        package let name: String
        package let actions: [String]
    }

    package let screens: [Screen]
}

extension ScreenCatalog {
    package func offering(to caller: Caller) -> Offering {
        let offered = served.filter { $0.access.refusal(of: caller) == nil }
        return Offering(screens: offered.map { .init(name: $0.name, actions: $0.actions(for: caller).map(\.name)) })
    }

    /// The screens of an offering, each with its actions, in their order; all where there is none.
    func offered(_ offering: Offering?) -> [(ServedScreen, [Action])] {
        guard let offering else { return served.map { ($0, $0.actions) } }
        return offering.screens.compactMap { offered in
            byName[offered.name].map { served in (served, served.actions.filter { offered.actions.contains($0.name) }) }
        }
    }

    /// The same, as they are described.
    package func described(_ offering: Offering) -> [(screen: any Screen, actions: [Action])] {
        offered(offering).map { ($0.screen, $1) }
    }
}

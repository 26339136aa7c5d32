import ScreenModel
import ScreenService

// The types of their views on the wire are `section`, `hint`, `switch`, `network`.
extension WiFi {
    /// What to do while there is nothing to see.
    struct HintFooter: ViewContent, Equatable {
        let text: String

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("text", \.text)
        }
    }

    /// The switch that turns everything on and off.
    struct SwitchCell: CellContent, Selectable, Equatable {
        let id = "power"
        let label: String
        let isOn: Bool

        var whenSelected: Selection { .action(ScreenAction(toggle, input: [WiFi.on.name: .bool(!isOn)])) }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("label", \.label)
            field("isOn", \.isOn)
        }
    }

    /// One network. It is the same cell whether its network is joined or not, so that it moves.
    struct NetworkCell: CellContent, Equatable {
        let network: WiFiNetwork
        /// The strength of its signal, 0 to 4.
        let bars: Int
        let isJoined: Bool
        /// The text to be read aloud.
        let detail: String
        let actions: [OfferedAction]

        init(_ network: WiFiNetwork, _ bars: Int, isJoined: Bool, in locale: ScreenLocale) {
            (self.network, self.bars, self.isJoined) = (network, bars, isJoined)
            let security = network.isSecured ? Text("Secured", fr: "Sécurisé") : Text("Open", fr: "Ouvert")
            detail = "\(security.in(locale)), \(Self.strength(ofBars: bars).in(locale))"
            actions = isJoined ? [OfferedAction(forget, in: locale, input: Self.input(network), isDestructive: true)] : []
        }

        var id: String { network.id }

        var selection: Selection? {
            if isJoined { return nil }
            var input = Self.input(network)
            if network.isSecured { input[WiFi.password.name] = "" }
            return .action(ScreenAction(join, input: input))
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("name", \.network.name)
            field("detail", \.detail)
            field("bars", \.bars)
            field("isSecured", \.network.isSecured)
            field("isJoined", \.isJoined)
        }

        private static func strength(ofBars bars: Int) -> Text {
            switch bars {
            case 0: Text("out of range", fr: "hors de portée")
            case 1: Text("weak", fr: "faible")
            case 2: Text("fair", fr: "moyen")
            case 3: Text("good", fr: "bon")
            default: Text("strong", fr: "fort")
            }
        }

        private static func input(_ network: WiFiNetwork) -> OrderedFields<JSONValue> {
            [WiFi.network.name: .string(network.id)]
        }
    }
}

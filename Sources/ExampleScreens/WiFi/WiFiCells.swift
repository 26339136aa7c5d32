import ScreenModel
import ScreenService

// These views have the types `section`, `hint`, `switch` and `network` on the wire.
extension WiFi {
    /// A footer that tells the user to turn Wi-Fi on.
    struct HintFooter: ViewContent, Equatable {
        let text: String

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("text", \.text)
        }
    }

    /// A cell with the switch that turns Wi-Fi on and off.
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

    /// A cell that shows a network. The id of the cell does not change when the network is joined. So joining a network moves its cell.
    struct NetworkCell: CellContent, Equatable {
        let network: WiFiNetwork
        /// The strength of the signal, from 0 to 4.
        let bars: Int
        let isJoined: Bool
        /// The text that screen readers speak.
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

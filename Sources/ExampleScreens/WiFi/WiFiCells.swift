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

        var whenSelected: Selection { .action(ScreenAction(ActionName.toggle, input: [WiFi.on.name: .bool(!isOn)])) }

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

        init(_ network: WiFiNetwork, _ bars: Int, isJoined: Bool, _ texts: WiFiTexts) {
            (self.network, self.bars, self.isJoined) = (network, bars, isJoined)
            detail = texts.detail(bars: bars, isSecured: network.isSecured)
            actions = isJoined ? [OfferedAction(ActionName.forget, title: texts.forget, input: Self.input(network), isDestructive: true)] : []
        }

        var id: String { network.id }

        var selection: Selection? {
            if isJoined { return nil }
            var input = Self.input(network)
            if network.isSecured { input[WiFi.password.name] = "" }
            return .action(ScreenAction(ActionName.join, input: input))
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("name", \.network.name)
            field("detail", \.detail)
            field("bars", \.bars)
            field("isSecured", \.network.isSecured)
            field("isJoined", \.isJoined)
        }

        private static func input(_ network: WiFiNetwork) -> OrderedFields<InputValue> {
            [WiFi.network.name: .string(network.id)]
        }
    }
}

import ExampleStores
import ScreenModel
import ScreenService

extension WiFi {
    enum ActionName {
        static let toggle = "toggle"
        static let join = "join"
        static let forget = "forget"
        static let restore = "restore"
    }

    static let on = Field.boolean("on", source: .cell) { WiFiTexts(locale: $0).title }
    static let network = Field.text("network", source: .cell) { WiFiTexts(locale: $0).network }.example("invites")
    static let password = Field.text("password", limit: 63) { WiFiTexts(locale: $0).password }.format(.password).example("correct horse")
    /// WPA2's passphrases have 8 to 63 characters (IEEE 802.11, annex J.4).
    static let shortestPassword = 8

    var actions: [Action] {
        [
            Action(ActionName.toggle, "Turns Wi-Fi on or off.", Self.on) { request, isOn in
                try await change(request) { $0.isOn = isOn }
            }
            .texts(title: { WiFiTexts(locale: $0).toggle }, summary: { WiFiTexts(locale: $0).toToggle }),
            Action(
                ActionName.join, "Joins a network in range; one that is secured asks for a password, which is not kept.",
                Self.network, Self.password.optional, perform: join
            )
            .texts(title: { WiFiTexts(locale: $0).join }, summary: { WiFiTexts(locale: $0).toJoin }),
            Action(ActionName.forget, "Forgets the network that is joined.", Self.network) { request, id in
                let texts = WiFiTexts(locale: request.locale)
                try await change(request) { settings throws(BrokenRules) in
                    guard settings.joinedNetwork == id else {
                        throw BrokenRules([BrokenRule(field: Self.network.name, texts.notJoined)])
                    }
                    settings.joinedNetwork = nil
                }
            }
            .texts(title: { WiFiTexts(locale: $0).forget }, summary: { WiFiTexts(locale: $0).toForget }),
            Action(ActionName.restore, ExampleTexts.toRestore) { request in
                try await change(request) { $0 = .initial }
            }
            .texts(title: { ExampleTexts(locale: $0).restore }, summary: { ExampleTexts(locale: $0).toRestore }),
        ]
    }

    @Sendable private func join(_ request: ActionContext, id: String, password: String?) async throws {
        let inRange = scanner.found(for: request.audience).contains { $0.network.id == id }
        let texts = WiFiTexts(locale: request.locale)
        try await change(request) { settings throws(BrokenRules) in
            guard settings.isOn else { throw BrokenRules([BrokenRule(texts.off)]) }
            guard inRange, let network = WiFiNetwork.known[id] else {
                throw BrokenRules([BrokenRule(field: Self.network.name, texts.outOfRange)])
            }
            if network.isSecured, (password ?? "").count < Self.shortestPassword {
                throw BrokenRules([BrokenRule(field: Self.password.name, texts.tooShort(Self.shortestPassword))])
            }
            settings.joinedNetwork = id
        }
    }

    private func change(
        _ request: ActionContext, _ change: @escaping @Sendable (inout WiFiSettings) throws -> Void
    ) async throws {
        let user = try request.user
        try await store.write { try $0.changeWiFiSettings(of: user, change) }
    }
}

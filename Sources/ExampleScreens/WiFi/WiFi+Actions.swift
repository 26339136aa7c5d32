import ExampleRecords
import ScreenModel
import ScreenService

extension WiFi {
    static let on = Field.boolean("on", Text("Wi-Fi"), source: .cell)
    static let network = Field.text("network", Text("Network", fr: "Réseau"), source: .cell).example("invites")
    static let password = Field.text("password", Text("Password", fr: "Mot de passe"), limit: 63)
        .format(.password).example("correct horse")
    /// The minimum length of a WPA2 passphrase (IEEE 802.11, annex J.4).
    static let shortestPassword = 8

    static let toggle = Action(
        "toggle", title: Text("Turn on or off", fr: "Allumer ou éteindre"),
        Text("Turns Wi-Fi on or off.", fr: "Allume ou éteint le Wi-Fi."), on
    ) { (wifi: WiFi, request, isOn) in
        try await wifi.change(request) { $0.isOn = isOn }
    }

    static let join = Action(
        "join", title: Text("Join", fr: "Rejoindre"),
        Text(
            "Joins a network in range; one that is secured asks for a password, which is not kept.",
            fr: "Rejoint un réseau à portée ; s’il est sécurisé, il demande un mot de passe, qui n’est pas gardé."
        ),
        network, password.optional
    ) { (wifi: WiFi, request, id, secret) in
        let inRange = wifi.scanner.found(for: request.audience).contains { $0.network.id == id }
        try await wifi.change(request) { settings throws(BrokenRules) in
            guard settings.isOn else { throw BrokenRules([BrokenRule(off.in(request.locale))]) }
            guard inRange, let known = WiFiNetwork.known[id] else {
                let detail = Text("This network is out of range.", fr: "Ce réseau est hors de portée.")
                throw BrokenRules(network, detail, in: request.locale)
            }
            if known.isSecured, (secret ?? "").count < shortestPassword {
                let detail = Text(
                    "The password of a network has at least \(shortestPassword) characters.",
                    fr: "Le mot de passe d’un réseau compte au moins \(shortestPassword) caractères."
                )
                throw BrokenRules(password, detail, in: request.locale)
            }
            settings.joinedNetwork = id
        }
    }

    static let forget = Action(
        "forget", title: Text("Forget", fr: "Oublier"),
        Text("Forgets the network that is joined.", fr: "Oublie le réseau connecté."), network
    ) { (wifi: WiFi, request, id) in
        try await wifi.change(request) { settings throws(BrokenRules) in
            guard settings.joinedNetwork == id else {
                let detail = Text("This network is not joined.", fr: "Ce réseau n’est pas connecté.")
                throw BrokenRules(network, detail, in: request.locale)
            }
            settings.joinedNetwork = nil
        }
    }

    static let restore = Action("restore", title: Restoring.title, Restoring.summary) { (wifi: WiFi, request) in
        try await wifi.change(request) { $0 = .initial }
    }

    private func change(
        _ request: ActionContext, _ change: @escaping @Sendable (inout WiFiSettings) throws -> Void
    ) async throws {
        let user = try request.user
        try await store.write { try $0.changeWiFiSettings(of: user, change) }
    }
}

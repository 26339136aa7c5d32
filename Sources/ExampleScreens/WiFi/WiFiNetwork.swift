/// A wireless network that the simulation knows.
struct WiFiNetwork: Hashable, Sendable {
    let id: String
    let name: String
    let isSecured: Bool
    /// Around what its signal varies, in dBm.
    let usualSignal: Int

    /// All of them, in no order that matters.
    static let all = [
        WiFiNetwork(id: "grange", name: "La Grange", isSecured: true, usualSignal: -48),
        WiFiNetwork(id: "atelier", name: "Atelier", isSecured: true, usualSignal: -55),
        WiFiNetwork(id: "moulin", name: "Moulin 5G", isSecured: true, usualSignal: -58),
        WiFiNetwork(id: "invites", name: "Invités", isSecured: false, usualSignal: -61),
        WiFiNetwork(id: "silo", name: "Silo-Nord", isSecured: true, usualSignal: -66),
        WiFiNetwork(id: "bascule", name: "Pont-bascule", isSecured: true, usualSignal: -69),
        WiFiNetwork(id: "cafe", name: "Café de la Gare", isSecured: false, usualSignal: -73),
        WiFiNetwork(id: "mairie", name: "Mairie", isSecured: false, usualSignal: -77),
        WiFiNetwork(id: "tracteur", name: "Tracteur 42", isSecured: true, usualSignal: -81),
        WiFiNetwork(id: "camping", name: "Camping du Lac", isSecured: false, usualSignal: -85),
        WiFiNetwork(id: "voisins", name: "Les voisins d’en face", isSecured: true, usualSignal: -88),
    ]

    static let known = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
}

/// A network as a scan found it.
struct FoundNetwork: Hashable, Sendable {
    let network: WiFiNetwork
    /// In dBm.
    let signal: Int

    /// How strong it is, 1 to 4.
    var bars: Int {
        switch signal {
        case (-55)...: 4
        case (-65)...: 3
        case (-75)...: 2
        default: 1
        }
    }
}

/// A simulated wireless network.
struct WiFiNetwork: Hashable, Sendable {
    let id: String
    let name: String
    let isSecured: Bool
    /// The average strength of the signal, in dBm.
    let averageSignal: Int

    /// All simulated networks. Their order influences the results of scans.
    static let all = [
        WiFiNetwork(id: "grange", name: "La Grange", isSecured: true, averageSignal: -48),
        WiFiNetwork(id: "atelier", name: "Atelier", isSecured: true, averageSignal: -55),
        WiFiNetwork(id: "moulin", name: "Moulin 5G", isSecured: true, averageSignal: -58),
        WiFiNetwork(id: "invites", name: "Invités", isSecured: false, averageSignal: -61),
        WiFiNetwork(id: "silo", name: "Silo-Nord", isSecured: true, averageSignal: -66),
        WiFiNetwork(id: "bascule", name: "Pont-bascule", isSecured: true, averageSignal: -69),
        WiFiNetwork(id: "cafe", name: "Café de la Gare", isSecured: false, averageSignal: -73),
        WiFiNetwork(id: "mairie", name: "Mairie", isSecured: false, averageSignal: -77),
        WiFiNetwork(id: "tracteur", name: "Tracteur 42", isSecured: true, averageSignal: -81),
        WiFiNetwork(id: "camping", name: "Camping du Lac", isSecured: false, averageSignal: -85),
        WiFiNetwork(id: "voisins", name: "Les voisins d’en face", isSecured: true, averageSignal: -88),
    ]

    static let known = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
}

/// A network that a scan found.
struct FoundNetwork: Hashable, Sendable {
    let network: WiFiNetwork
    /// The strength of the signal, in dBm.
    let signal: Int

    /// The strength of the signal, from 1 to 4.
    var bars: Int {
        switch signal {
        case (-55)...: 4
        case (-65)...: 3
        case (-75)...: 2
        default: 1
        }
    }
}

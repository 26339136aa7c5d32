/// A simulated scan: signals that wander, networks that come into range and leave it.
///
/// It is a value that depends on its seed and the number of its steps alone.
struct WiFiScan: Hashable, Sendable {
    /// What is weaker cannot be heard.
    static let weakest = -90

    private var signals = WiFiNetwork.all.map(\.usualSignal)
    private var random: UInt64

    init(seed: UInt64) {
        random = seed
    }

    /// The networks in range, the strongest first.
    var found: [FoundNetwork] {
        zip(WiFiNetwork.all, signals).map { FoundNetwork(network: $0, signal: $1) }
            .filter { $0.signal >= Self.weakest }
            .sorted { ($1.signal, $0.network.id) < ($0.signal, $1.network.id) }
    }

    /// Lets each signal wander by a few dBm, and drift back to where it usually is.
    mutating func advance() {
        for index in signals.indices {
            let usual = WiFiNetwork.all[index].usualSignal
            signals[index] += Int(next() % 9) - 4 + (usual - signals[index]) / 4
        }
    }

    /// SplitMix64 (Steele, Lea and Flood, 2014).
    private mutating func next() -> UInt64 {
        random &+= 0x9E37_79B9_7F4A_7C15
        var mixed = random
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

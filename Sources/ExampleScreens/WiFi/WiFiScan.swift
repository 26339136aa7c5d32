/// A simulated scan: signals that wander, networks that come into range and leave it.
///
/// It is a value that depends on its seed and the number of its step alone, and is found without those before
/// it: so all who scan at a time find the same, in whatever process.
struct WiFiScan: Hashable, Sendable {
    /// What is weaker cannot be heard.
    static let weakest = -90
    /// For how many steps it matters how a signal wandered: three quarters of it are left after each.
    private static let memory = 20

    let seed: UInt64
    let step: Int

    /// The networks in range, the strongest first.
    var found: [FoundNetwork] {
        WiFiNetwork.all.indices.map { FoundNetwork(network: WiFiNetwork.all[$0], signal: signal(ofNetworkAt: $0)) }
            .filter { $0.signal >= Self.weakest }
            .sorted { ($1.signal, $0.network.id) < ($0.signal, $1.network.id) }
    }

    /// What the last steps made of the usual signal: each lets it wander by a few dBm, and drift back to where it usually is.
    private func signal(ofNetworkAt index: Int) -> Int {
        let drift = (0..<Self.memory).reversed().reduce(0) { drift, age in
            drift - drift / 4 + Int(random(step &- age, index) % 9) - 4
        }
        return WiFiNetwork.all[index].usualSignal + drift
    }

    /// The number of a step and a network in the sequence of SplitMix64 (Steele, Lea and Flood, 2014), which can
    /// be entered anywhere.
    private func random(_ step: Int, _ index: Int) -> UInt64 {
        let place = UInt64(truncatingIfNeeded: step &* WiFiNetwork.all.count &+ index &+ 1)
        var mixed = seed &+ place &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

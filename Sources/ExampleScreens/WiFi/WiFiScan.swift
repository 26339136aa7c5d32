/// A simulated scan of wireless networks. From step to step, the strength of each signal drifts, and networks enter and leave the range.
/// The result depends only on the seed and the step, so all processes find the same networks at the same time.
struct WiFiScan: Hashable, Sendable {
    /// The weakest signal that is in range, in dBm.
    static let weakest = -90
    /// The number of past steps that influence a signal. In each step, the influence of every earlier step decreases by a quarter.
    private static let memory = 20

    let seed: UInt64
    let step: Int

    /// The networks in range, the strongest first.
    var found: [FoundNetwork] {
        WiFiNetwork.all.indices.map { FoundNetwork(network: WiFiNetwork.all[$0], signal: signal(ofNetworkAt: $0)) }
            .filter { $0.signal >= Self.weakest }
            .sorted { ($1.signal, $0.network.id) < ($0.signal, $1.network.id) }
    }

    private func signal(ofNetworkAt index: Int) -> Int {
        let drift = (0..<Self.memory).reversed().reduce(0) { drift, age in
            drift - drift / 4 + Int(random(step &- age, index) % 9) - 4
        }
        return WiFiNetwork.all[index].averageSignal + drift
    }

    /// Returns a random number for a step and a network. The generator SplitMix64 (Steele, Lea and Flood, 2014) can compute each number of
    /// its sequence without the earlier numbers.
    private func random(_ step: Int, _ index: Int) -> UInt64 {
        let place = UInt64(truncatingIfNeeded: step &* WiFiNetwork.all.count &+ index &+ 1)
        var mixed = seed &+ place &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

import Testing

@testable import ExampleScreens

struct WiFiScanTests {
    /// The first step of each tested series of scans. The steps are at the beginning of 1970, in the present, near both limits of
    /// integers, and shortly before 1970.
    private static let beginnings = [0, 890_000_000, .max - 400, .min, -200]

    @Test func aScanDependsOnlyOnItsSeedAndStep() {
        let (one, same) = (scans(400), scans(400).reversed())
        #expect(one.map(\.found) == same.reversed().map(\.found))
        #expect(one.map(\.found) != scans(400, seed: 1).map(\.found))
    }

    @Test(arguments: beginnings) func scansFindDifferentNetworksInDifferentOrdersWithDifferentSignalBars(beginning: Int) {
        let found = scans(400, from: beginning).map(\.found)
        #expect(Set(found.map { $0.map(\.network.id) }).count > 100)
        #expect(Set(found.map { Set($0.map(\.network.id)) }).count > 2)
        #expect(Set(found.map { $0.map(\.bars) }).count > 10)
        for found in found {
            #expect(found.map(\.signal) == found.map(\.signal).sorted(by: >))
            #expect(found.allSatisfy { (1...4).contains($0.bars) && $0.signal >= WiFiScan.weakest })
        }
    }

    @Test(arguments: beginnings) func aSignalDriftsByAFewDBmAroundItsAverage(beginning: Int) {
        for network in WiFiNetwork.all {
            let signals = scans(400, from: beginning).map { scan in scan.found.first { $0.network == network }?.signal }
            let received = signals.compactMap { $0 }
            #expect(received.allSatisfy { abs($0 - network.averageSignal) <= 16 })
            let pairs = zip(signals, signals.dropFirst())
            let changes = pairs.compactMap { before, after in before.flatMap { before in after.map { $0 - before } } }
            #expect(changes.allSatisfy { abs($0) <= 9 })
            #expect(Set(changes).count > 5)
        }
    }

    @Test func weakNetworksLeaveAndReenterTheRangeButStrongNetworksStay() {
        let found = scans(400).map { Set($0.found.map(\.network.id)) }
        #expect(found.allSatisfy { $0.isSuperset(of: ["grange", "invites"]) })
        for id in ["camping", "voisins"] {
            let isThere = found.map { $0.contains(id) }
            #expect(zip(isThere, isThere.dropFirst()).filter { $0 != $1 }.count > 10, "\(id)")
        }
    }

    private func scans(_ count: Int, from beginning: Int = 0, seed: UInt64 = WiFiScanner.seed) -> [WiFiScan] {
        (0..<count).map { WiFiScan(seed: seed, step: beginning + $0) }
    }
}

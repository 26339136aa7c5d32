import Foundation
import ScreenService

extension Version {
    /// The high word and the low word, each with its most significant byte first.
    var stored: Data {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Data($0) }
    }

    init?(stored: Data) {
        guard stored.count == 16 else { return nil }
        let word = { (bytes: Data) in bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        self.init(high: word(stored.prefix(8)), low: word(stored.suffix(8)))
    }
}

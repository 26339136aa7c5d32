import GRDB
import Storage

extension SQLiteTransaction {
    func newDeliveryID() throws -> String {
        try write("UPDATE lastDeliveryNumber SET value = value + 1", [])
        let number: Int? = try row("SELECT value FROM lastDeliveryNumber") { $0[0] }
        return "\(number!)-1"
    }

    /// Lets new ids begin after the number with which `id` does, if it does.
    func keepFromReuse(_ id: String) throws {
        // A number beyond this is nobody's count, and near the largest there would be no next one.
        guard let number = Int(id.prefix { $0 != "-" }), number <= 1_000_000_000 else { return }
        try write("UPDATE lastDeliveryNumber SET value = ? WHERE value < ?", [number, number])
    }
}

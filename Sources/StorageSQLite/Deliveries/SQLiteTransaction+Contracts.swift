import GRDB
import Storage

extension SQLiteTransaction {
    func contract(_ number: String) throws -> Contract? {
        noteRead(.contract(number: number))
        return try storedContract(number)
    }

    func contractNames() throws -> [ContractName] {
        noteRead(.contractNames)
        return try rows("SELECT number, name FROM contract ORDER BY number") { row in
            ContractName(number: row[0], name: row[1])
        }
    }

    func insertContract(_ contract: Contract) throws {
        do {
            try write("INSERT INTO contract VALUES (?, ?, ?, ?, ?, ?, ?)", arguments(contract))
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY {
            throw StoreError.contractExists(number: contract.number)
        }
        noteWrite(.contractAndItsName(number: contract.number))
    }

    func replaceContract(_ contract: Contract) throws {
        guard let old = try storedContract(contract.number) else {
            throw StoreError.noContract(number: contract.number)
        }
        guard contract != old else { return }
        try write("REPLACE INTO contract VALUES (?, ?, ?, ?, ?, ?, ?)", arguments(contract))
        noteWrite(
            contract.name == old.name
                ? .contract(number: contract.number) : .contractAndItsName(number: contract.number)
        )
    }

    private func storedContract(_ number: String) throws -> Contract? {
        try row(
            """
            SELECT number, name, date, status, contractedKilograms, firstDay, lastDay
            FROM contract WHERE number = ?
            """,
            [Text(number)],
            Contract.init
        )
    }

    private func arguments(_ contract: Contract) -> StatementArguments {
        [
            Text(contract.number), Text(contract.name), contract.date.description, contract.status.rawValue,
            contract.contractedWeight.kilograms,
            contract.window.lowerBound.description, contract.window.upperBound.description,
        ]
    }
}

extension Contract {
    fileprivate init(_ row: Row) throws {
        let number: String = row[0]
        guard let date = CalendarDay(row[2]), let status = Status(rawValue: row[3]),
            let first = CalendarDay(row[5]), let last = CalendarDay(row[6]), first <= last
        else { throw StoreError.unreadable(record: .contract, id: number) }
        self.init(
            number: number,
            name: row[1],
            date: date,
            status: status,
            contractedWeight: Weight(kilograms: row[4]),
            window: first...last
        )
    }
}

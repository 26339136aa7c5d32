/// Keeps account of ids that stages bring and take, of cells or of sections, to judge them at the end.
struct Turnover {
    private var inserted: [(id: String, pointer: JSONPointer)] = []
    private var deleted: Set<ExactText> = []

    mutating func insert(_ id: String, at pointer: JSONPointer) {
        inserted.append((id, pointer))
    }

    mutating func delete(_ id: String) {
        deleted.insert(ExactText(id))
    }

    /// Rule 6, and that no id occurs twice.
    ///
    /// - Parameter held: the ids before all stages.
    func faults(held: Set<ExactText>) -> [DocumentFault] {
        var brought: [ExactText: JSONPointer] = [:]
        return inserted.compactMap { id, pointer in
            let key = ExactText(id)
            if deleted.contains(key) { return DocumentFault(pointer: pointer, cause: .insertsWhatItDeletes(id)) }
            if let first = brought[key] { return DocumentFault(pointer: pointer, cause: .repeatedID(id, first: first)) }
            if held.contains(key) { return DocumentFault(pointer: pointer, cause: .insertsWhatIsThere(id)) }
            brought[key] = pointer
            return nil
        }
    }
}

/// A reader that collects all faults of a document, each with its place. If a value cannot be read, the reader records a fault, returns
/// `nil` for the value, and continues with the next value.
struct DocumentReader {
    /// The maximum number of faults that are collected. A fault needs much more memory than the faulty value.
    static let faultLimit = 10_000

    private(set) var faults: [DocumentFault] = []
    private var pointer = JSONPointer()

    mutating func fault(_ cause: DocumentFault.Cause) {
        add(DocumentFault(pointer: pointer, cause: cause))
    }

    mutating func add(_ fault: DocumentFault) {
        if faults.count < Self.faultLimit { faults.append(fault) }
    }

    mutating func at<Value>(_ step: JSONPointer.Step, _ read: (inout DocumentReader) -> Value) -> Value {
        pointer.steps.append(step)
        defer { pointer.steps.removeLast() }
        return read(&self)
    }

    mutating func fault(at step: JSONPointer.Step, _ cause: DocumentFault.Cause) {
        at(step) { $0.fault(cause) }
    }

    mutating func member<Value>(
        _ name: String, of object: JSONValue, _ read: (inout DocumentReader, JSONValue) -> Value?
    ) -> Value? {
        at(.name(name)) { reader in
            guard let value = object[name] else {
                reader.fault(.missing)
                return nil
            }
            return read(&reader, value)
        }
    }

    /// Reads a member that can be absent or null.
    mutating func optional<Value>(
        _ name: String, of object: JSONValue, _ read: (inout DocumentReader, JSONValue) -> Value?
    ) -> Value? {
        guard let value = object[name], value != .null else { return nil }
        return at(.name(name)) { read(&$0, value) }
    }

    /// Reads the elements of an array. Elements with faults are omitted.
    mutating func elements<Value>(
        of value: JSONValue, _ read: (inout DocumentReader, JSONValue) -> Value?
    ) -> [Value]? {
        guard case .array(let elements) = value else {
            wrongKind(value, expected: "an array")
            return nil
        }
        var values: [Value] = []
        for (index, element) in elements.enumerated() {
            if let value = at(.index(index), { read(&$0, element) }) { values.append(value) }
        }
        return values
    }

    mutating func wrongKind(_ value: JSONValue, expected: String) {
        fault(.wrongKind(expected: expected, found: value.kind))
    }
}

extension DocumentReader {
    mutating func text(_ value: JSONValue) -> String? {
        if case .string(let text) = value { return text }
        wrongKind(value, expected: "a string")
        return nil
    }

    mutating func word(_ value: JSONValue, of words: [String]) -> String? {
        guard let text = text(value) else { return nil }
        if words.contains(text) { return text }
        fault(.unexpectedText(found: text, expected: words))
        return nil
    }

    mutating func members(_ value: JSONValue) -> [JSONValue.Member]? {
        if case .object(let members) = value { return members }
        wrongKind(value, expected: "an object")
        return nil
    }

    /// Checks that a document has the given kind. Returns false if it has a different kind, so that its other members are not read. If the
    /// kind is missing, returns true.
    mutating func isKind(_ kind: String, _ document: JSONValue) -> Bool {
        member("kind", of: document) { $0.word($1, of: [kind]) } != nil || document["kind"] == nil
    }

    mutating func place(_ value: JSONValue) -> Int? {
        number(value) { .notAnIndex($0) }
    }

    mutating func count(_ value: JSONValue) -> Int? {
        guard let count = number(value, { .notACount($0) }) else { return nil }
        if count > 0 { return count }
        fault(.notACount("0"))
        return nil
    }

    private mutating func number(_ value: JSONValue, _ cause: (String) -> DocumentFault.Cause) -> Int? {
        guard case .number(let digits) = value else {
            wrongKind(value, expected: "a number")
            return nil
        }
        // The upper bound prevents overflow when an index and a count are added.
        guard let number = value.wholeNumber, (0..<1 << 53).contains(number) else {
            fault(cause(digits))
            return nil
        }
        return number
    }
}

import ScreenWire

extension Field where Value == String {
    /// Creates a field for a text of at most `limit` Unicode scalars. A text with U+0000 is malformed, because PostgreSQL cannot store it.
    public static func text(
        _ name: String, _ title: Text, limit: Int = 100, source: FieldDeclaration.Source = .user
    ) -> Field {
        Field(name, title, .text(limit: limit), source: source) { value in
            guard case .string(let text) = value, text.unicodeScalars.count <= limit, !text.utf8.contains(0) else { return nil }
            return text
        }
    }

    /// Returns a copy of this field with a text format, such as `.password`, which states the purpose of the text.
    public func format(_ format: TextFormat) -> Field {
        var field = self
        field.declaration.format = format
        return field
    }
}

extension Field where Value == Int {
    /// Creates a field for a whole number within bounds. `10.0` is accepted, because JSON does not distinguish it from `10`.
    public static func integer(
        _ name: String, _ title: Text, in bounds: ClosedRange<Int>, source: FieldDeclaration.Source = .user
    ) -> Field {
        Field(name, title, .integer(bounds), source: source) { value in
            value.wholeNumber.flatMap { bounds.contains($0) ? $0 : nil }
        }
    }
}

extension Field where Value == Double {
    /// Creates a field for a number within bounds.
    public static func number(
        _ name: String, _ title: Text, in bounds: ClosedRange<Double>, source: FieldDeclaration.Source = .user
    ) -> Field {
        Field(name, title, .number(bounds), source: source) { value in
            guard case .number(let digits) = value, let number = Double(digits) else { return nil }
            return bounds.contains(number) ? number : nil
        }
    }
}

extension Field where Value == Bool {
    /// Creates a field whose value is true or false.
    public static func boolean(_ name: String, _ title: Text, source: FieldDeclaration.Source = .user) -> Field {
        Field(name, title, .boolean, source: source) { value in
            guard case .bool(let flag) = value else { return nil }
            return flag
        }
    }
}

extension Field where Value: LosslessStringConvertible {
    /// Creates a field for a day such as `2018-07-12`. The type of the value is usually ``CalendarDay``.
    public static func date(_ name: String, _ title: Text, source: FieldDeclaration.Source = .user) -> Field {
        Field(name, title, .date, source: source) { value in
            guard case .string(let text) = value else { return nil }
            return Value(text)
        }
    }
}

extension Field where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// Creates a field for a case of an enumeration. Clients send the raw value of the case. `titles` are the labels, in the order of the
    /// cases.
    public static func choice(
        _ name: String, _ title: Text, titles: [Text] = [], source: FieldDeclaration.Source = .user
    ) -> Field {
        var field = Field(name, title, .choice(Value.allCases.map(\.rawValue)), source: source) { value in
            guard case .string(let text) = value else { return nil }
            return Value.named(text)
        }
        field.declaration.titles = titles
        return field
    }
}

import ScreenWire

extension Field where Value == String {
    /// A text of at most `limit` characters. U+0000 is none: databases cannot keep it in text.
    public static func text(
        _ name: String, _ title: Text, limit: Int = 100, source: FieldDeclaration.Source = .user
    ) -> Field {
        Field(name, title, .text(limit: limit), source: source) { value in
            guard case .string(let text) = value, text.unicodeScalars.count <= limit, !text.utf8.contains(0) else { return nil }
            return text
        }
    }

    /// The same field for texts that are for something.
    public func format(_ format: TextFormat) -> Field {
        var field = self
        field.declaration.format = format
        return field
    }
}

extension Field where Value == Int {
    /// A whole number within bounds. `10.0` is one, as JSON has no other kind of number.
    public static func integer(
        _ name: String, _ title: Text, in bounds: ClosedRange<Int>, source: FieldDeclaration.Source = .user
    ) -> Field {
        Field(name, title, .integer(bounds), source: source) { value in
            value.wholeNumber.flatMap { bounds.contains($0) ? $0 : nil }
        }
    }
}

extension Field where Value == Double {
    /// A number within bounds.
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
    /// True or false.
    public static func boolean(_ name: String, _ title: Text, source: FieldDeclaration.Source = .user) -> Field {
        Field(name, title, .boolean, source: source) { value in
            guard case .bool(let flag) = value else { return nil }
            return flag
        }
    }
}

extension Field where Value: LosslessStringConvertible {
    /// A day, of the type that the caller has for days, such as `2018-07-12`.
    public static func date(_ name: String, _ title: Text, source: FieldDeclaration.Source = .user) -> Field {
        Field(name, title, .date, source: source) { value in
            guard case .string(let text) = value else { return nil }
            return Value(text)
        }
    }
}

extension Field where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of a few words.
    public static func choice(_ name: String, _ title: Text, source: FieldDeclaration.Source = .user) -> Field {
        Field(name, title, .choice(Value.allCases.map(\.rawValue)), source: source) { value in
            guard case .string(let text) = value else { return nil }
            return Value.named(text)
        }
    }
}

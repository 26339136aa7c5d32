import ScreenClient

/// An action that the user chose. Its input comes from the cell that offers the action.
struct ChosenAction: Equatable {
    let name: String
    /// The id of the cell that offers the action.
    let cell: String
    let input: OrderedFields<JSONValue>
    var isDestructive = false
}

/// The form of an action. The user fills in its fields one after another.
struct ActionForm {
    let action: ChosenAction
    let title: String
    /// The input so far. At first, it is the input from the cell.
    private(set) var input: OrderedFields<JSONValue>
    private var fields: ArraySlice<CatalogDocument.Field>

    init(_ action: ChosenAction, _ description: CatalogDocument.Action) {
        self.action = action
        title = description.title ?? description.name
        input = action.input
        // If no field is required, the form has only the fields for which the cell provides a value, as on the page.
        let all = description.input.filter { $0.source == "user" }
        fields = (all.contains(where: \.isRequired) ? all : all.filter { action.input[$0.name] != nil })[...]
    }

    /// The field to fill in next, or `nil` if the form is complete.
    var field: CatalogDocument.Field? { fields.first }

    /// The name of the field, and what the user can type.
    var prompt: String {
        guard let field else { return "" }
        let choices = field.choices.enumerated().map { field.isNumbered ? "\($0 + 1) \($1.title)" : $1.title }.joined(separator: "  ")
        let shape = choices.isEmpty ? field.type.shape : choices
        return field.title + (shape.isEmpty || field.type.name == "text" ? "" : " (\(shape))") + (field.isRequired ? "" : ", optional")
    }

    /// The text of the current value of the field.
    var text: String {
        switch field.flatMap({ input[$0.name] }) {
        case .string(let text): field?.choices.first { $0.value == text }?.title ?? text
        case .number(let digits): digits
        case .bool(let isTrue): isTrue ? "true" : "false"
        case .null, .array, .object, nil: ""
        }
    }

    /// Returns a Boolean value that indicates whether the field can have the value that the user typed. Only choices are checked, because
    /// the server checks all values.
    func accepts(_ typed: String) -> Bool {
        guard let field, !field.choices.isEmpty, field.isRequired || !typed.isEmpty else { return true }
        return field.choice(typed) != nil
    }

    /// Sets the field to the value that the user typed. An optional field without text is left out.
    mutating func enter(_ typed: String) {
        guard let field else { return }
        if typed.isEmpty, !field.isRequired {
            input[field.name] = nil
        } else if typed != text || input[field.name] == nil {
            input[field.name] = field.choice(typed).map { .string($0) } ?? field.type.value(of: typed)
        }
        fields.removeFirst()
    }
}

extension CatalogDocument.Field {
    /// The values of a choice and their titles; empty for any other type.
    fileprivate var choices: [(value: String, title: String)] {
        let values = type.choices ?? []
        return Array(zip(values, titles.flatMap { $0.count == values.count ? $0 : nil } ?? values))
    }

    /// A Boolean value that indicates whether the user can type the number of a choice. It is `false` if the title of a choice is a whole
    /// number, because a typed number would be ambiguous.
    fileprivate var isNumbered: Bool { !choices.contains { Int($0.title) != nil } }

    /// Returns the choice that the user typed as its number, its title or its value.
    fileprivate func choice(_ typed: String) -> String? {
        let choices = choices
        if isNumbered, let choice = choices.choice(numbered: typed) { return choice.value }
        return (choices.first { $0.title == typed } ?? choices.first { $0.value == typed })?.value
    }
}

extension Array {
    /// Returns the element with the number that the user typed; `nil` if there is none. The first element has the number 1.
    func choice(numbered typed: String) -> Element? {
        // The number is at least 1, so the subtraction does not overflow.
        Int(typed).flatMap { $0 >= 1 && $0 <= count ? self[$0 - 1] : nil }
    }
}

extension CatalogDocument {
    /// Returns the form of an action, or `nil` if the list of screens does not describe the action.
    func form(of action: ChosenAction, on screen: String) -> ActionForm? {
        description(of: action.name, on: screen).map { ActionForm(action, $0) }
    }

    func description(of action: String, on screen: String) -> Action? {
        screens.first { $0.name == screen }?.actions.first { $0.name == action }
    }
}

extension CatalogDocument.ValueType {
    /// Returns the value that a user typed. A text that is no value of the type is returned as text, so that the server reports the fault.
    fileprivate func value(of text: String) -> JSONValue {
        switch name {
        case "integer", "number": if case .number? = try? JSONReader.read(Array(text.utf8)) { .number(text) } else { .string(text) }
        case "boolean":
            switch text.lowercased() {
            case "y", "yes", "true", "1": .bool(true)
            case "n", "no", "false", "0": .bool(false)
            default: .string(text)
            }
        default: .string(text)
        }
    }
}

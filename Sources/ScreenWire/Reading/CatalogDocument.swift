public import ScreenModel

/// The list of screens in the response to `GET /screens`. Members that the protocol does not define are ignored.
public struct CatalogDocument: Hashable, Sendable, Decodable {
    /// The screens that the caller may use.
    public let screens: [Screen]
    /// The languages of the screens. The first language is the default.
    public let locales: [String]

    /// A screen, with its title in the language of the response.
    public struct Screen: Hashable, Sendable, Decodable {
        public let name: String
        public let title: String
        public let revisions: Revisions
        public let parameters: [Parameter]
        /// The actions that the caller may perform.
        public let actions: [Action]
    }

    /// The revisions that a screen serves.
    public struct Revisions: Hashable, Sendable, Decodable {
        public let oldest: Int
        public let newest: Int
    }

    /// A query parameter of a screen.
    public struct Parameter: Hashable, Sendable, Decodable {
        public let name: String
        public let title: String?
        public let description: String
        public let type: ValueType
        /// The titles of the choices, in the order of the choices, or `nil` if the choices have no titles.
        public let titles: [String]?
        /// The values that the parameter can have now, or `nil` if they are not known.
        public let values: [Value]?
        /// The default value of the parameter, or `nil` if the parameter has none.
        public let defaultValue: String?
    }

    /// A value that a parameter can have.
    public struct Value: Hashable, Sendable, Decodable {
        public let value: String
        public let title: String?
    }

    /// An action of a screen.
    public struct Action: Hashable, Sendable, Decodable {
        public let name: String
        public let title: String?
        public let description: String
        /// The fields of the input.
        public let input: [Field]
    }

    /// A field of the input of an action.
    public struct Field: Hashable, Sendable, Decodable {
        public let name: String
        public let title: String
        public let type: ValueType
        /// The titles of the choices, in the order of the choices, or `nil` if the choices have no titles.
        public let titles: [String]?
        public let isRequired: Bool
        /// The source of the value: `user` if the user enters it in a form, or `cell` if the cell contains it.
        public let source: String
    }

    /// The type of a value that a client sends.
    public struct ValueType: Hashable, Sendable, Decodable {
        /// The name: `text`, `integer`, `number`, `boolean`, `date`, `choice`, or a name of a later version of the protocol.
        public let name: String
        /// A description for people, which completes the sentence "The value must be …".
        public let shape: String
        /// The maximum number of characters of a text.
        public let limit: Int?
        public let minimum: Double?
        public let maximum: Double?
        /// The values of a choice.
        public let choices: [String]?
        /// The purpose of a text: `search`, `password`, `email`, or a word of a later version of the protocol.
        public let format: String?

        private enum CodingKeys: String, CodingKey {
            case name = "type"
            case shape, limit, minimum, maximum, choices, format
        }
    }

    /// Reads a list of screens.
    ///
    /// - Throws: `DecodingError` with the place of the first fault.
    public init(_ json: JSONValue) throws {
        self = try json.decode()
    }
}

// The document has no separate object for a `ValueType`. The members of a value type are members of its parameter or field.
extension CatalogDocument.Parameter {
    private enum CodingKeys: String, CodingKey {
        case name, title, description, titles, values
        case defaultValue = "default"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decode(String.self, forKey: .name)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        description = try members.decode(String.self, forKey: .description)
        type = try CatalogDocument.ValueType(from: decoder)
        titles = try members.decodeIfPresent([String].self, forKey: .titles)
        values = try members.decodeIfPresent([CatalogDocument.Value].self, forKey: .values)
        defaultValue = try members.decodeIfPresent(String.self, forKey: .defaultValue)
    }
}

extension CatalogDocument.Field {
    private enum CodingKeys: String, CodingKey {
        case name, title, titles, source
        case isRequired = "required"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decode(String.self, forKey: .name)
        title = try members.decode(String.self, forKey: .title)
        type = try CatalogDocument.ValueType(from: decoder)
        titles = try members.decodeIfPresent([String].self, forKey: .titles)
        isRequired = try members.decode(Bool.self, forKey: .isRequired)
        source = try members.decode(String.self, forKey: .source)
    }
}

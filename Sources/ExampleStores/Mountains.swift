/// A mountain of the world; the `mountains` screen finds it by its name.
public struct Mountain: Hashable, Sendable {
    /// Small ASCII letters, digits and hyphens: `pic-du-midi-d-ossau`.
    public let id: String
    /// As the people write it who live there, in Latin letters.
    public var name: String
    /// Of its highest summit above the sea.
    public var metres: Int
    /// Nil where it belongs to none that is widely known.
    public var range: TranslatedText?
    /// The codes of the countries that share its highest summit (ISO 3166-1, two letters).
    public var countries: [String]

    public init(id: String, name: String, metres: Int, range: TranslatedText?, countries: [String]) {
        self.id = id
        self.name = name
        self.metres = metres
        self.range = range
        self.countries = countries
    }
}

/// A text in each language that screens speak, such as the name of a mountain range.
public struct TranslatedText: Hashable, Sendable {
    public var english: String
    public var french: String

    public init(english: String, french: String) {
        self.english = english
        self.french = french
    }
}

/// What the `mountains` screen reads and writes within a transaction.
public protocol MountainsTransaction: ExampleInserting {
    /// All mountains, ordered by id (as UTF-8).
    func mountains() throws -> [Mountain]

    /// - Throws: ``MountainsStoreError/mountainExists(id:)``
    mutating func insertMountain(_ mountain: Mountain) throws

    /// Puts `mountain` in the place of the one with its id.
    ///
    /// - Throws: ``MountainsStoreError/noMountain(id:)``
    mutating func replaceMountain(_ mountain: Mountain) throws

    /// Deletes a mountain; false where there is none with this id.
    @discardableResult
    mutating func deleteMountain(_ id: String) throws -> Bool
}

extension MountainsTransaction {
    public static var examplesPart: Int { 2 }

    public mutating func insertExamples() throws {
        for mountain in Examples.mountains { try insertMountain(mountain) }
    }
}

/// Why mountains could not be written.
public enum MountainsStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    case mountainExists(id: String)
    case noMountain(id: String)

    /// What happened, in one English sentence for logs.
    public var description: String {
        switch self {
        case .mountainExists(let id): "There is a mountain \(id) already."
        case .noMountain(let id): "There is no mountain \(id)."
        }
    }
}

import ScreenService

/// What all examples say of being some, in one language.
struct ExampleTexts {
    let locale: ScreenLocale

    static let toRestore = "Brings back the example data."

    var restore: String { locale.text(english: "Back to the example data", french: "Revenir aux données d’exemple") }
    var toRestore: String { locale.text(english: Self.toRestore, french: "Rétablit les données d’exemple.") }
}

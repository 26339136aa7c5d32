import Foundation
import ScreenService

extension ScreenLocale {
    /// Picks the text of the language; English where there is none. A new language is a new argument,
    /// so that the compiler finds every text that lacks it.
    func text(english: String, french: String) -> String {
        language == Self.french.language ? french : english
    }

    /// The locale for Foundation's formatters.
    var formatting: Locale { Locale(identifier: identifier) }
}

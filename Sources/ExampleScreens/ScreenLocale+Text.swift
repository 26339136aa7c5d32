import Foundation
import ScreenService

extension ScreenLocale {
    /// Picks the text of the language. A new language is a new argument, so that the compiler finds
    /// every text that lacks it.
    func text(english: String, french: String) -> String {
        switch self {
        case .english: english
        case .french: french
        }
    }

    /// The locale for Foundation's formatters.
    var formatting: Locale { Locale(identifier: identifier) }
}

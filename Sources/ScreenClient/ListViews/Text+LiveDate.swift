#if canImport(SwiftUI)
import Foundation
public import ScreenModel
public import SwiftUI

extension Text {
    /// Creates a text that shows an instant in its style. The system keeps the text current.
    ///
    ///     Text(order.placed)
    public init(_ date: LiveDate) {
        switch date.style {
        case .relative: self.init(date.date, style: .relative)
        case .timer: self.init(date.date, style: .timer)
        case nil: self.init(date.text())
        }
    }
}
#endif

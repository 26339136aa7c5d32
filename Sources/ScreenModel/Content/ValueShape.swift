/// The form that the values of a type have in JSON, as a description of them needs it.
///
/// It is known without a value. What it is made of is named by types, so that a type may be part of itself.
public enum ValueShape: Sendable {
    /// Any JSON value: the type does not say which.
    case any
    case boolean
    /// A whole number.
    case integer
    case number
    case text
    /// One of these texts.
    case choice([String])
    /// A list of values of this type.
    case list(any ContentValue.Type)
    /// An object with any keys, whose values are of this type.
    case dictionary(any ContentValue.Type)
    /// A value of this type, or null.
    case optional(any ContentValue.Type)
    /// An object with the fields that this type declares.
    case object(any Content.Type)
}

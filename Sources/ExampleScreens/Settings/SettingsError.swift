/// Says why settings cannot be shown.
enum SettingsError: Error {
    /// The request is for everyone, and settings are someone's.
    case noUser
}

// The part of the module `os` that `ScreenModel` uses, declared as on Apple platforms.

public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    public init(uncheckedState initialState: State) {}
}

extension OSAllocatedUnfairLock where State == () {
    public init() { self.init(uncheckedState: ()) }
    public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R { try body() }
}

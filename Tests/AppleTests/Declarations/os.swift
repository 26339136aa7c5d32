// What `ScreenModel` uses of os, declared as it is on Apple's systems.

public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    public init(uncheckedState initialState: State) {}
}

extension OSAllocatedUnfairLock where State == () {
    public init() { self.init(uncheckedState: ()) }
    public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R { try body() }
}

/// Tells a stream's connection that there is something new to ask for.
public struct StreamWaker: Sendable {
    let stream: NativeStream

    /// Has the stream asked again if it has paused; otherwise it is going to be asked anyway. It
    /// may be called from any thread, as often as one likes and after the end: it costs a lock at
    /// most, and many streams that are woken together interrupt their loop once.
    public func wake() {
        stream.wake()
    }
}

import Testing

/// Holds the tests that compute for long, one after another.
///
/// They never wait, and tests share as many threads as there are cores: side by side they would leave
/// none to the tests that talk to a server.
@Suite(.serialized) enum Proof {}

# Other scripts source this file. It sets the array `swift` to the words of the compiler's command. The environment variable SWIFT
# is a path, which may contain spaces, or a command with arguments.
export SWIFT="${SWIFT:-swift}"
if command -v "$SWIFT" >/dev/null; then swift=("$SWIFT"); else read -ra swift <<<"$SWIFT"; fi

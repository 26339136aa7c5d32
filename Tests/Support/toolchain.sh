# To be read by the scripts beside it: `swift` becomes the words of the compiler that SWIFT names, a path, which may have spaces,
# or a command with arguments.
export SWIFT="${SWIFT:-swift}"
if command -v "$SWIFT" >/dev/null; then swift=("$SWIFT"); else read -ra swift <<<"$SWIFT"; fi

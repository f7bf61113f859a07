#!/bin/sh
# Finds or installs the Chromium that the browser tests drive: its headless shell, or else the whole of it. Where it
# cannot, it says so; the tests then skip, and with CI=true a skip is a failure.
set -eu
has() { command -v "$1" >/dev/null 2>&1; }
install() { DEBIAN_FRONTEND=noninteractive apt-get install -qq -y "$1" >/dev/null; }

if has chromium-headless-shell; then exit 0; fi
if [ "$(id -u)" = 0 ] && has apt-get; then
    echo "Installing Chromium's headless shell for the browser tests."
    apt-get update -qq && install chromium-headless-shell && exit 0
fi
for name in chromium chromium-browser google-chrome; do
    if has "$name"; then exit 0; fi
done
if [ "$(id -u)" = 0 ] && has apt-get; then
    install chromium && exit 0
fi
echo "No Chromium here, and it cannot be installed without root: the browser tests will be skipped." >&2

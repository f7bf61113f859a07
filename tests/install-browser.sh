#!/bin/sh
# Finds or installs the Chromium that the browser tests drive. Where it cannot, it says so; the tests then skip, and with
# CI=true a skip is a failure.
set -eu
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing Chromium for the browser tests."
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium >/dev/null && exit 0
fi
echo "No Chromium here, and it cannot be installed without root: the browser tests will be skipped." >&2

#!/bin/sh
# Installs agents' CLIs below the current folder, each at the one version that its lock file names, and removes what no run
# uses. bin/ links to the programs themselves: a CLI is not started by npm's wrapper around it. Node.js is among them only
# if one of them is written for it.
# agents.sh AGENT...
set -eu

mkdir bin
for agent in "$@"; do
  (
    cd "$agent"
    npm ci --omit=dev --ignore-scripts --no-audit --no-fund
    command=$(node -p "require('./package.json').runyard.command")
    # The path has a pattern, because it contains the kind of machine.
    # shellcheck disable=SC2046
    program=$(ls -d "$PWD"/$(node -p "require('./package.json').runyard.program"))
    ln -s "$program" "../bin/$command"
    if head -n 1 "$program" | tr -d '\000' | grep -q '^#!.*node'; then
      cp -u "$(command -v node)" ../bin/node
    fi
  )
done

# Voices, maps of sources, and what is built for other systems.
find . -path '*/codex-resources/voice' -prune -exec rm -rf {} +
find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' \) -delete
find . -type d -path '*/vendor/ripgrep/*' \( -name '*-darwin' -o -name '*-win32' \) -prune -exec rm -rf {} +

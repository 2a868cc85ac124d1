#!/bin/sh
# Builds the runner's image as the Dockerfile says with buildah or docker, on bases made here, and lays its files out below
# ROOTFS. Steps whose files have not changed are taken from the build before. Needs root, mmdebstrap, a JDK, Node.js with npm.
# build.sh FOLDER ROOTFS   FOLDER: what is kept between builds
# DEBIAN_MIRROR: where Debian's packages are, if not at its own address
set -eu

context=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
rootfs=$2
mirror=${DEBIAN_MIRROR:-http://deb.debian.org}
image=localhost/runyard-runner:built
. "$context/image/tool.sh"

exec 9>"$folder/lock"
flock 9
bases=$(sh "$context/image/bases.sh" "$folder" "$mirror")
registry=$(npm config get registry 2>/dev/null)
# shellcheck disable=SC2086
build $bases --build-arg "DEBIAN_MIRROR=$mirror" --build-arg "NPM_CONFIG_REGISTRY=$registry" --tag "$image" "$context"

# Copied only if it is another image than the one that lies there.
built=$(id_of "$image")
if [ "$(cat "$rootfs.built" 2>/dev/null)" != "$built" ]; then
  rm -rf "$rootfs"
  mkdir -p "$rootfs"
  unpack "$image" "$rootfs"
  settings_of "$image" >"$rootfs.json"
  echo "$built" >"$rootfs.built"
  prune
fi

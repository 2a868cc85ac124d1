#!/bin/sh
# Builds the runner's image as the Dockerfile says with buildah, on bases made here, and lays its files out below
# ROOTFS. Steps whose files have not changed are taken from the build before. Needs root, mmdebstrap, a JDK, Node.js with npm.
# build.sh FOLDER ROOTFS   FOLDER: what is kept between builds
# DEBIAN_MIRROR: where Debian's packages are, if not at its own address
set -eu

context=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
rootfs=$2
mirror=${DEBIAN_MIRROR:-http://deb.debian.org}
images() { buildah --root "$folder/images" --runroot "$folder/run" "$@"; }

exec 9>"$folder/lock"
flock 9
bases=$(sh "$context/image/bases.sh" "$folder" "$mirror")
registry=$(npm config get registry 2>/dev/null)
# shellcheck disable=SC2086
images bud --quiet --isolation chroot --layers $bases --build-arg "DEBIAN_MIRROR=$mirror" \
  --build-arg "NPM_CONFIG_REGISTRY=$registry" --tag runyard-runner:built "$context" >&2
container=$(images from runyard-runner:built)
trap 'images rm "$container" >/dev/null' EXIT
mkdir -p "$rootfs"
cp -a "$(images mount "$container")/." "$rootfs"
images umount "$container" >/dev/null
images prune --force >/dev/null 2>&1 || true

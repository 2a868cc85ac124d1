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
# Whom this machine trusts, which may be more than a base does.
trusted=/etc/ssl/certs/ca-certificates.crt
# shellcheck disable=SC2086
images bud --isolation chroot --layers $bases --build-arg "DEBIAN_MIRROR=$mirror" \
  --build-arg "NPM_CONFIG_REGISTRY=$registry" --volume "$trusted:/run/trusted.crt:ro" \
  --build-arg NODE_EXTRA_CA_CERTS=/run/trusted.crt --tag runyard-runner:built "$context" >&2

# Copied only if it is another image than the one that lies there.
built=$(images inspect --type image --format '{{.FromImageID}}' runyard-runner:built)
if [ "$(cat "$rootfs.built" 2>/dev/null)" != "$built" ]; then
  container=$(images from runyard-runner:built)
  trap 'images rm "$container" >/dev/null' EXIT
  rm -rf "$rootfs"
  mkdir -p "$rootfs"
  cp -a "$(images mount "$container")/." "$rootfs"
  images umount "$container" >/dev/null
  images inspect --type image runyard-runner:built >"$rootfs.json"
  echo "$built" >"$rootfs.built"
  images rmi --prune --force >/dev/null 2>&1 || true
fi

#!/bin/sh
# Makes the three images that the Dockerfile starts from, where no registry is reached: Debian from its packages, and on it
# the JDK and the Node.js of this machine. What is made once is kept.
# bases.sh FOLDER MIRROR   FOLDER: of the images; MIRROR: of Debian's packages
# JAVA_HOME is the JDK. Prints the names of the images as options of a build.
set -eu

folder=$1
mirror=$2
images() { buildah --root "$folder/images" --runroot "$folder/run" "$@"; }

jdk=$(readlink -f "${JAVA_HOME:?}")
node=$(readlink -f "$(command -v node)")
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
key=$({
  cat "$0" "$jdk/release"
  echo "$mirror"
  node --version
  npm --version 2>/dev/null
} | sha256sum | cut -c 1-16)

if ! images inspect --type image "runyard-node:$key" >/dev/null 2>&1; then
  scratch=$(mktemp -d "$folder/base-XXXXXX")
  trap 'rm -rf "$scratch"' EXIT
  mmdebstrap --quiet --variant=minbase --mode=root --aptopt='Acquire::Languages "none"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    bookworm "$scratch/base.tar" \
    "deb $mirror/debian bookworm main" "deb $mirror/debian bookworm-updates main" \
    "deb $mirror/debian-security bookworm-security main" >&2

  debian=$(images from scratch)
  images add --quiet "$debian" "$scratch/base.tar" / >&2
  images commit --quiet "$debian" "runyard-debian:$key" >&2

  java=$(images from "runyard-debian:$key")
  # Some of its files may be links to this machine's.
  cp -rL "$jdk" "$scratch/jdk"
  images copy --quiet "$java" "$scratch/jdk" /opt/jdk >&2
  images config --env 'PATH=/opt/jdk/bin:/usr/local/bin:/usr/bin:/bin' "$java" >&2
  images commit --quiet --rm "$java" "runyard-java:$key" >&2

  script=$(images from "runyard-debian:$key")
  images copy --quiet "$script" "$node" /usr/local/bin/node >&2
  images copy --quiet "$script" "$npm" /usr/local/lib/node_modules/npm >&2
  images config --env 'PATH=/usr/local/bin:/usr/bin:/bin' "$script" >&2
  images run --isolation chroot "$script" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm >&2
  images commit --quiet --rm "$script" "runyard-node:$key" >&2
  images rm "$debian" >&2
fi
echo "--build-arg=DEBIAN_IMAGE=localhost/runyard-debian:$key"
echo "--build-arg=JAVA_IMAGE=localhost/runyard-java:$key"
echo "--build-arg=NODE_IMAGE=localhost/runyard-node:$key"

#!/bin/sh
# Makes the three images that the Dockerfile starts from, where no registry is reached: Debian from its packages, and on it
# the JDK and the Node.js of this machine. What is made once is kept.
# bases.sh FOLDER MIRROR   FOLDER: of the images; MIRROR: of Debian's packages
# JAVA_HOME is the JDK. Prints the names of the images, and whom npm is to trust, as options of a build.
set -eu

folder=$1
mirror=$2
. "$(dirname "$0")/tool.sh"

jdk=$(readlink -f "${JAVA_HOME:?}")
node=$(readlink -f "$(command -v node)")
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
# Whom this machine trusts, which may be more than a base does.
trusted=/etc/ssl/certs/ca-certificates.crt
key=$({
  cat "$0" "$jdk/release" "$trusted"
  echo "$mirror"
  node --version
  npm --version 2>/dev/null
} | sha256sum | cut -c 1-16)

# Its Dockerfile is the standard input.
base() {
  cat >"$scratch/Dockerfile"
  build --quiet --tag "localhost/runyard-$1:$key" "$scratch"
}

if ! has "localhost/runyard-node:$key"; then
  scratch=$(mktemp -d "$folder/base-XXXXXX")
  trap 'rm -rf "$scratch"' EXIT
  mmdebstrap --quiet --variant=minbase --mode=root --aptopt='Acquire::Languages "none"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    bookworm "$scratch/base.tar" \
    "deb $mirror/debian bookworm main" "deb $mirror/debian bookworm-updates main" \
    "deb $mirror/debian-security bookworm-security main" >&2
  # Some of their files may be links to this machine's.
  cp -rL "$jdk" "$scratch/jdk"
  cp -rL "$npm" "$scratch/npm"
  cp "$node" "$scratch/node"
  cp "$trusted" "$scratch/trusted.crt"

  base debian <<DOCKERFILE
FROM scratch
ADD base.tar /
DOCKERFILE
  base java <<DOCKERFILE
FROM localhost/runyard-debian:$key
COPY jdk /opt/jdk
ENV PATH=/opt/jdk/bin:/usr/local/bin:/usr/bin:/bin
DOCKERFILE
  base node <<DOCKERFILE
FROM localhost/runyard-debian:$key
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY trusted.crt /run/trusted.crt
ENV PATH=/usr/local/bin:/usr/bin:/bin
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
DOCKERFILE
fi
echo "--build-arg=DEBIAN_IMAGE=localhost/runyard-debian:$key"
echo "--build-arg=JAVA_IMAGE=localhost/runyard-java:$key"
echo "--build-arg=NODE_IMAGE=localhost/runyard-node:$key"
echo "--build-arg=NODE_EXTRA_CA_CERTS=/run/trusted.crt"

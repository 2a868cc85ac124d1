# What builds images, for the scripts beside this one: buildah, which keeps them below $folder, or else docker, whose daemon does.

if command -v buildah >/dev/null 2>&1; then
  images() { buildah --root "$folder/images" --runroot "$folder/run" "$@"; }
  build() { images bud --isolation chroot --layers "$@" >&2; }
  has() { images inspect --type image "$1" >/dev/null 2>&1; }
  id_of() { images inspect --type image --format '{{.FromImageID}}' "$1"; }
  settings_of() { images inspect --type image "$1"; }
  unpack() {
    container=$(images from "$1")
    trap 'images rm "$container" >/dev/null' EXIT
    cp -a "$(images mount "$container")/." "$2"
    images umount "$container" >/dev/null
  }
  prune() { images rmi --prune --force >/dev/null 2>&1 || true; }
else
  build() { docker build "$@" >&2; }
  has() { docker image inspect "$1" >/dev/null 2>&1; }
  id_of() { docker image inspect --format '{{.Id}}' "$1"; }
  # In the form in which buildah tells them.
  settings_of() { docker image inspect --format '{"OCIv1":{"config":{{json .Config}}}}' "$1"; }
  unpack() {
    container=$(docker create "$1")
    trap 'docker rm --volumes "$container" >/dev/null' EXIT
    docker export "$container" | tar -x --numeric-owner -C "$2"
  }
  # The daemon's images are not only ours.
  prune() { :; }
fi

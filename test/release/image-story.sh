#!/bin/bash
# Builds the image from a root that was made of Debian's packages, and runs it: image-story.sh ROOT CONTAINERFILE PORT
set -eu
storage=$(mktemp -d)
buildah() { command buildah --root "$storage/root" --runroot "$storage/run" --storage-driver vfs "$@"; }
service=
# What unshare started is its child. Changing the user freed it from dying with its parent.
stop() { [ -z "$service" ] || pkill --signal "$1" --parent "$service" || true; }
trap 'stop KILL; buildah rm --all >/dev/null 2>&1 || true; rm -rf "$storage"' EXIT

base=$(buildah from scratch)
buildah add --quiet "$base" "$1" / >/dev/null
buildah commit --quiet "$base" gatehouse-base >/dev/null
buildah rm "$base" >/dev/null

buildah build --quiet --format docker --isolation chroot --build-arg BASE=localhost/gatehouse-base --tag gatehouse-image \
  --file "$2" "$(dirname "$2")" >/dev/null
echo 'ok: built'

buildah inspect --type image gatehouse-image >"$storage/image.json"
grep -q '"User": "10001:10001"' "$storage/image.json"
grep -q '"/var/lib/gatehouse": {}' "$storage/image.json"
grep -q Healthcheck "$storage/image.json"
echo 'ok: a user and a volume of its own'

work=$(buildah from gatehouse-image)
place=$(buildah mount "$work")
for compiler in gcc cc make python3 npm; do
  if [ -e "$place/usr/bin/$compiler" ]; then echo "failed: $compiler is inside"; exit 1; fi
done
[ "$(stat -c %u "$place/var/lib/gatehouse")" = 10001 ]

volume=$storage/volume
install -d -m 0700 -o 10001 -g 10001 "$volume"
port=$3

# Runs a command in the image as a container would: its user, a read-only root, a volume, and /tmp in memory.
inside=(unshare --mount --pid --fork bash -c '
  set -e
  root=$1 volume=$2 port=$3
  shift 3
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/tmp"
  mount --bind "$volume" "$root/var/lib/gatehouse"
  mount -o remount,bind,ro "$root"
  exec chroot --userspec=10001:10001 --groups= "$root" env -i PATH=/usr/bin:/bin HOST=127.0.0.1 PORT="$port" \
    GATEHOUSE_DATA_DIR=/var/lib/gatehouse GATEHOUSE_DEMO=false "$@"
' bash "$place" "$volume" "$port")

if "${inside[@]}" touch /written 2>/dev/null; then echo 'failed: the root can be written'; exit 1; fi
if "${inside[@]}" gatehouse ready 2>/dev/null; then echo 'failed: ready before it runs'; exit 1; fi
"${inside[@]}" gatehouse serve >"$storage/serve.log" 2>&1 &
service=$!
for _ in $(seq 300); do
  if "${inside[@]}" gatehouse ready >/dev/null 2>&1; then break; fi
  sleep 0.5
done
"${inside[@]}" gatehouse ready || { cat "$storage/serve.log"; exit 1; }
curl --silent --fail -H 'Accept: text/html' "http://127.0.0.1:$port/" | grep -q '<title>'
[ "$(stat -c %u "$volume/secret-key")" = 10001 ]
echo 'ok: serves as uid 10001 on a read-only root'
stop TERM
for _ in $(seq 150); do
  [ -e "$volume/database/postmaster.pid" ] || break
  sleep 0.2
done
[ ! -e "$volume/database/postmaster.pid" ] || { echo 'failed: the database was not stopped'; exit 1; }
echo 'ok: stops in order'
echo done

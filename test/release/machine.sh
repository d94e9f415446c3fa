# What the stories on a machine of systemd have in common. The packages are in /packages.
set -eu
export DEBIAN_FRONTEND=noninteractive
token=
url=http://127.0.0.1:8080

step() { echo "ok: $*"; }
fail() {
  echo "failed: $*"
  systemctl status --no-pager gatehouse gatehouse-edge || true
  journalctl --no-pager -n 40 -u gatehouse -u gatehouse-edge || true
  exit 1
}
waits() {
  for _ in $(seq 300); do
    if "$@" >/dev/null 2>&1; then return 0; fi
    sleep 0.2
  done
  fail "$*"
}
get() { curl --silent --show-error --fail "$@"; }
ask() { get -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@"; }
field() { grep -o "\"$1\": *\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }
install() { apt-get install --yes -qq "$@" >/tmp/apt.log 2>&1 || { cat /tmp/apt.log; fail "apt install $*"; }; }

# Another version of the service, from the tree that unpack has made, in /tmp.
unpack() { dpkg-deb --raw-extract /packages/gatehouse_[0-9]*.deb /tmp/next; }
pack() {
  sed -i "s/^Version: .*/Version: $1/" /tmp/next/DEBIAN/control
  local tree=/tmp/next/usr/lib/gatehouse was
  was=$(field version <$tree/package.json)
  sed -i "s/\"version\": *\"$was\"/\"version\": \"$1\"/" $tree/package.json
  sed -i "s/^\(var version.* = \)\"$was\";/\1\"$1\";/" $tree/lib/*.mjs
  dpkg-deb --build --root-owner-group -Znone /tmp/next "/tmp/gatehouse_$1_$(dpkg --print-architecture).deb" >/dev/null
}
version() { dpkg-query --show --showformat='${Version}' gatehouse; }

#!/bin/bash
# Kills `gatehouse upgrade` at random moments, each time on the way to a version that brings one more migration:
# the service goes on with what it has, of the old or of the new version, and the repeat ends the upgrade. The
# number of kills is in /kills. Each prints a line; the first one that fails ends the story.
. /machine.sh

kills=$(cat /kills)
mkdir -p /etc/gatehouse
printf '%s\n' GATEHOUSE_DEMO=true GATEHOUSE_BACKUP_DIR=/var/lib/gatehouse/backups >/etc/gatehouse/gatehouse.env
install /packages/gatehouse_*.deb
waits get $url/readyz
gatehouse backup key >/dev/null
token=$(gatehouse token)
ask -X POST "$url/v2/members" -d '{"name": "Kept over upgrades"}' >/dev/null
unpack

# The next version, in $to.
prepare() {
  to=9.0.$1
  echo '-- expand: a table more.
CREATE TABLE more_'"$1"' (id int)' >"/tmp/next/usr/lib/gatehouse/packages/server/migrations/9$(printf %02d "$1")-more.sql"
  rm -f /tmp/gatehouse_*.deb
  pack "$to"
}
upgrade() { exec gatehouse upgrade --to "$to" --from /tmp --yes; }
# Where the program that runs is: the installed one, or the one that was unpacked.
runs() { dirname "$(readlink "/proc/$(systemctl show --property MainPID --value gatehouse)/exe")"; }
kept() { ask "$url/v2/members?q=kept%20over" | grep -q 'Kept over upgrades'; }
whole() {
  [ "$(version)" = "$to" ] || fail "$to was not installed, but $(version)"
  if ls -d /usr/lib/gatehouse-next* /etc/systemd/system/gatehouse.service.d/upgrade.conf 2>/dev/null; then fail 'the upgrade left something'; fi
  get $url/readyz >/dev/null && kept || fail "$to does not run"
  case $(runs) in /usr/lib/gatehouse/*) ;; *) fail "runs from $(runs)" ;; esac
}

prepare 0
began=$(date +%s%3N)
(upgrade) >/tmp/upgrade.log 2>&1 || fail "upgrade: $(cat /tmp/upgrade.log)"
whole
took=$(($(date +%s%3N) - began))
step "an upgrade takes $took ms"

round=0 number=0
while [ "$round" -lt "$kills" ]; do
  old=$to
  prepare $((number += 1))
  after=$((RANDOM * RANDOM % took))
  (upgrade) >/tmp/upgrade.log 2>&1 &
  running=$!
  sleep "$((after / 1000)).$(printf %03d $((after % 1000)))"
  if kill -KILL $running 2>/dev/null; then round=$((round + 1)); else took=$after; fi
  wait $running 2>/dev/null || true
  waits get $url/readyz
  kept || fail "killed after $after ms, the member is gone: $(cat /tmp/upgrade.log)"
  told="from $(runs), said: $(tail -n 1 /tmp/upgrade.log)"
  # A step that was under way ends by itself. Until then, files of the command may be replaced.
  flock /run/gatehouse-upgrade-step.lock true
  (upgrade) >/tmp/again.log 2>&1 || fail "killed after $after ms ($told), the repeat failed: $(cat /tmp/again.log)"
  whole
  step "$round: $old to $to killed after $after ms: it ran $told"
done

backups=$(gatehouse backup list | grep -c physical)
step "$backups backups"
echo done

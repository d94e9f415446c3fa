#!/bin/bash
# What an operator does with the Debian packages in /packages, on a machine that systemd runs. Each step prints
# a line; the first one that fails ends the story.
. /machine.sh

# The demo brings doors. Settings that are there before the installation stay.
mkdir -p /etc/gatehouse
echo GATEHOUSE_DEMO=true >/etc/gatehouse/gatehouse.env
install /packages/gatehouse_*.deb
[ "$(cat /etc/gatehouse/gatehouse.env)" = GATEHOUSE_DEMO=true ] || fail 'the settings were replaced'
waits get $url/readyz
[ "$(systemctl is-active gatehouse)" = active ] || fail 'the service is not active'
[ "$(systemctl is-enabled gatehouse)" = enabled ] || fail 'the service does not start at boot'
step 'apt install is a running service'

[ "$(stat -c %U "/proc/$(systemctl show --property MainPID --value gatehouse)")" = gatehouse ] || fail 'the service has another user'
[ "$(stat -c '%U %a' /var/lib/gatehouse)" = 'gatehouse 700' ] || fail 'the data folder is open'
get -H 'Accept: text/html' $url/ | grep -q '<title>' || fail 'the console is not served'
step 'the console is served, by a user of its own'

token=$(gatehouse token)
keypad=$(ask "$url/v2/devices?q=street%20keypad" | field id)
ask -X POST "$url/v2/devices/$keypad/simulate" -d '{"keys": "123456#"}' | grep -q '"events":\[{"' || fail 'the keypad did not decide'
ask -X POST "$url/v2/members" -d '{"name": "Kept over restarts"}' >/dev/null
step 'a door decides'

calendar=$(ask -X POST "$url/v2/calendars" -d '{"name": "Spain", "source": {"type": "country", "country": "ES"}}' | field id)
holidays() { ask "$url/v2/calendars/$calendar/days?limit=1" | grep -q '"starts_on"'; }
waits holidays
step 'the holidays of a country are there'

systemctl restart gatehouse
waits get $url/readyz
token=$(gatehouse token)
ask "$url/v2/members?q=kept%20over" | grep -q 'Kept over restarts' || fail 'a member was lost by a restart'
step 'a restart loses nothing'

# systemctl returns once the service has said that it is ready.
now() { date +%s%3N; }
systemctl stop gatehouse
began=$(now)
systemctl start gatehouse
step "a cold start takes $(($(now) - began)) ms"

main() { systemctl show --property MainPID --value gatehouse; }
hung=$(main)
replaced() { [ "$(main)" != "$hung" ] && [ "$(main)" != 0 ]; }
began=$(now)
systemctl kill --kill-who=main --signal=STOP gatehouse
waits replaced
step "a process that hangs is replaced after $(($(now) - began)) ms"
waits get $url/readyz

# The same program as two other versions, one of which does not start.
unpack
pack 9.9.9
sed -i '2i if [ "$1" = serve ]; then exit 1; fi' /tmp/next/usr/lib/gatehouse/bin/gatehouse
pack 8.8.8
rm -r /tmp/next
old=$(version)
if gatehouse upgrade --to 9.9.9 --from /tmp --yes 2>/tmp/upgrade.log; then fail 'upgraded without a backup'; fi
grep -q GATEHOUSE_BACKUP_DIR /tmp/upgrade.log || fail "upgrade: $(cat /tmp/upgrade.log)"
if gatehouse upgrade --to 8.8.8 --from /tmp --yes --without-backup 2>/tmp/upgrade.log; then fail 'upgraded to what does not start'; fi
grep -q "$old runs again" /tmp/upgrade.log || fail "upgrade: $(cat /tmp/upgrade.log)"
get $url/readyz >/dev/null || fail 'the old version does not run again'
step 'a version that does not start is not installed'
gatehouse upgrade --to 9.9.9 --from /tmp --yes --without-backup >/tmp/upgrade.log 2>&1 || fail "upgrade: $(cat /tmp/upgrade.log)"
[ "$(version)" = 9.9.9 ] || fail 'the new version was not installed'
[ ! -e /usr/lib/gatehouse-next ] && [ ! -e /etc/systemd/system/gatehouse.service.d/upgrade.conf ] || fail 'the upgrade left something'
get $url/readyz >/dev/null || fail 'the new version does not run'
step 'an upgrade installs the new version'

install /packages/gatehouse-edge_*.deb
[ "$(systemctl is-active gatehouse-edge)" != active ] || fail 'a controller without settings runs'
site=$(ask "$url/v2/sites?limit=1" | field id)
device=$(ask -X POST "$url/v2/devices" -d "{\"name\": \"Lobby\", \"site_id\": \"$site\", \"product_id\": \"controller\", \"hardware_id\": \"hw_LOBBY-1\"}" | field id)
secret=$(ask -X POST "$url/v2/devices/$device/credentials" | field secret)
sed "s|^GATEHOUSE_EDGE_URL=.*|GATEHOUSE_EDGE_URL=$url|; s|ghd_\.\.\.|$secret|" /usr/share/gatehouse-edge/edge.env.example >/etc/gatehouse/edge.env
systemctl start gatehouse-edge
online() { ask "$url/v2/devices/$device" | grep -q '"online":true'; }
waits online
step 'the controller connects'

apt-get remove --yes -qq gatehouse-edge gatehouse >/tmp/apt.log 2>&1 || fail 'apt remove'
if get $url/healthz >/dev/null 2>&1; then fail 'the service still answers'; fi
[ -e /var/lib/gatehouse/secret-key ] && [ -e /etc/gatehouse/gatehouse.env ] || fail 'apt remove deleted data'
[ -e /var/lib/gatehouse-edge ] || fail "apt remove deleted the controller's data"
[ ! -e /usr/bin/gatehouse ] || fail 'apt remove left the command'
step 'apt remove keeps data'

install /packages/gatehouse_*.deb
waits get $url/readyz
token=$(gatehouse token)
ask "$url/v2/members?q=kept%20over" | grep -q 'Kept over restarts' || fail 'the data was not found again'
step 'installed again, the data is back'

apt-get purge --yes -qq gatehouse >/tmp/apt.log 2>&1 || fail 'apt purge'
[ -e /var/lib/gatehouse/secret-key ] || fail 'apt purge deleted data that nobody agreed to delete'
step 'apt purge keeps data unless told'

install /packages/gatehouse_*.deb
waits get $url/readyz
echo 'gatehouse gatehouse/delete-data boolean true' | debconf-set-selections
apt-get purge --yes -qq gatehouse gatehouse-edge >/tmp/apt.log 2>&1 || fail 'apt purge'
[ ! -e /var/lib/gatehouse ] && [ ! -e /etc/gatehouse/gatehouse.env ] || fail 'apt purge left data'
if getent passwd gatehouse >/dev/null; then fail 'apt purge left the user'; fi
[ -e /var/lib/gatehouse-edge ] || fail "apt purge deleted the controller's data, which nobody agreed to"
step 'apt purge deletes what was agreed to'
echo done

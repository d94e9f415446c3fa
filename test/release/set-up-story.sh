#!/bin/bash
# A machine is set up with one command, and gets its certificate from Pebble, an authority that speaks ACME and
# asks for the name by HTTP. The names are those of /etc/hosts.
. /machine.sh

name=gatehouse.test
echo "127.0.0.1 localhost $name" >>/etc/hosts
cd /root
openssl req -x509 -newkey rsa:2048 -nodes -days 90 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
  -keyout authority.key -out authority.pem 2>/dev/null
cp authority.pem /etc/authority.pem
chmod 644 /etc/authority.pem
cat >pebble.json <<END
{"pebble": {"listenAddress": "127.0.0.1:14000", "managementListenAddress": "127.0.0.1:15000", "certificate": "/root/authority.pem",
  "privateKey": "/root/authority.key", "httpPort": 80, "tlsPort": 443}}
END
systemd-run --quiet --unit pebble --setenv PEBBLE_VA_NOSLEEP=1 pebble -config /root/pebble.json
waits get --cacert authority.pem https://localhost:14000/dir
get --cacert authority.pem https://localhost:15000/roots/0 >root.pem
step 'the authority is there'

now() { date +%s%3N; }
began=$(now)
install /packages/gatehouse_*.deb
installed=$(now)
gatehouse set-up --yes --name $name --acme-directory https://localhost:14000/dir --acme-ca /etc/authority.pem >/tmp/set-up.log 2>&1 || {
  cat /tmp/set-up.log
  fail 'set-up failed'
}
served() { [ "$(curl --silent --cacert root.pem --output /dev/null --write-out '%{http_code}' https://$name/readyz)" = 200 ]; }
waits served
ended=$(now)
took=$((ended - installed))
[ $took -lt 90000 ] || fail "https answered only after $took ms"
step "set-up until https answers with a certificate of the authority: $took ms, apt install before it: $((installed - began)) ms"

[ "$(curl --silent --output /dev/null --write-out '%{redirect_url}' http://$name/)" = "https://$name/" ] || fail 'http does not lead to https'
step 'http leads to https'

systemctl restart gatehouse
waits served
step 'the certificate is kept over a restart'
echo done

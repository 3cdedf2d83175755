#!/bin/bash
# What must be true of the unit, asked from inside; see boot.sh.
set -uo pipefail

fail() {
    echo "FAILED: $*"
    systemctl status tracewelld --no-pager --lines=20 2>&1
    exit 1
}
# wanted TEXT COMMAND...: the command says the text, within two minutes.
wanted() {
    local text=$1 said
    shift
    for _ in $(seq 2400); do
        said=$("$@" 2>&1)
        case $said in *"$text"*) return ;; esac
        sleep 0.05
    done
    fail "$* does not say $text: $said"
}

echo "systemd: $(systemctl --version | head -n 1), state $(systemctl is-system-running)"
wanted active systemctl is-active tracewelld
wanted '"name":"boot"' etw query boot --json
etw log first || fail "the session that starts with the machine takes no events"
wanted '"name":"shop"' etw query shop --json
etw log --provider Contoso-Shop "an order" || fail "the example session takes no events"

# A daemon that is killed has a successor, and the service does not notice.
main=$(systemctl show -P MainPID tracewelld)
daemon=$(etw daemon status --json | sed 's/.*"pid":\([0-9]*\).*/\1/')
[ "$main" != "$daemon" ] || fail "the daemon has no keeper"
kill -9 "$daemon"
wanted '"former":1' etw daemon status --json
etw log second || fail "the session did not go on"
[ "$(systemctl show -P MainPID -P NRestarts tracewelld | tr '\n' ' ')" = "$main 0 " ] || fail "the service was started anew"

# A stop ends the sessions: the file is complete, and nothing is left.
systemctl stop tracewelld || fail "it cannot be stopped"
wanted inactive systemctl is-active tracewelld
[ ! -e /run/tracewell ] || fail "the folder is left: $(ls /run/tracewell)"
# The header, two messages, and the two programs that logged them.
wanted ': sound, 5 records' etw verify /run/boot.etl
[ "$(etw verify /run/boot.etl | wc -l)" = 1 ] || fail "$(etw verify /run/boot.etl)"
wanted ': sound' etw verify /var/log/tracewell/shop.etl
wanted 'an order' etw dump /var/log/tracewell/shop.etl
wanted '750 root tracewell' stat -c '%a %U %G' /var/log/tracewell

# When the keeper is killed as well, systemd starts the service anew, with its sessions.
systemctl start tracewelld || fail "it cannot be started again"
wanted '"name":"boot"' etw query boot --json
systemctl kill --signal=KILL tracewelld
wanted 1 systemctl show -P NRestarts tracewelld
wanted '"name":"boot"' etw query boot --json
etw log third || fail "the session of the new service takes no events"
systemctl stop tracewelld
wanted ': sound, 3 records' etw verify /run/boot.etl
echo passed

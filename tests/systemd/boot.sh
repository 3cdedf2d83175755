#!/bin/bash
# Runs the unit of packaging/systemd under a separate systemd: boot.sh PROGRAMS UNITS OUT, as root.
#
# PROGRAMS holds `etw` and `tracewelld`, UNITS the unit files. In new namespaces the file system is mounted read-only,
# with memory over the few folders that must be written, and systemd is given a folder of units that contains only
# the one under test and the targets it names: nothing else of this machine is started, and nothing of it is changed.
# `check.sh` runs as a unit of that systemd; what it says goes to the file OUT, of which the last line is "passed" when all was well.
set -euo pipefail

if [ "${1:-}" != inside ]; then
    : >"$3"
    exec timeout --kill-after=5 900 unshare --mount --pid --fork --kill-child --cgroup --ipc --uts \
        "$0" inside "$(realpath "$1")" "$(realpath "$2")" "$(realpath "$3")"
fi
programs=$2 units=$3 out=$4 here=$(dirname "$(realpath "$0")")

mount --make-rprivate /
memory=/mnt
mount -t tmpfs -o mode=755 tmpfs $memory
mkdir $memory/{bin,work,work2,units,etc,shipped}
cp "$programs/etw" "$programs/tracewelld" $memory/bin/
cp "$here/check.sh" $memory/bin/check-tracewelld
cp "$units/tracewelld.service" $memory/units/
# Before /tmp is covered, where the units may be.
cp "$units"/{example.session,tracewell.sysusers,tracewell.tmpfiles} $memory/shipped/
touch $memory/out
mount --bind "$out" $memory/out
mount -o remount,bind,ro /
mount -t overlay overlay -o lowerdir=/usr/bin,upperdir=$memory/bin,workdir=$memory/work /usr/bin
for folder in /run /tmp /var/tmp /var/log; do mount -t tmpfs -o mode=755 tmpfs $folder; done
mount -t proc proc /proc
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mkdir -p /run/lock

for target in sysinit basic shutdown local-fs multi-user; do
    printf '[Unit]\nDefaultDependencies=no\n' >$memory/units/$target.target
done
printf '[Unit]\nDefaultDependencies=no\nWants=tracewelld.service check.service\nAfter=tracewelld.service\n' \
    >$memory/units/test.target
printf '%s\n' '[Unit]' 'DefaultDependencies=no' 'After=tracewelld.service' '[Service]' 'Type=oneshot' \
    "ExecStart=/bin/bash -c 'check-tracewelld >>$memory/out 2>&1; systemctl --force --force poweroff'" >$memory/units/check.service

# The sessions that start with the machine, in the folder that the unit's documentation names: one for this test, and the example
# as it is, with the group and the folder that the packages make for it.
mount -t overlay overlay -o lowerdir=/etc,upperdir=$memory/etc,workdir=$memory/work2 /etc
mkdir -p /etc/tracewell/sessions
echo '--output /run/boot.etl --provider Tracewell-Log' >/etc/tracewell/sessions/boot.session
cp $memory/shipped/example.session /etc/tracewell/sessions/shop.session
systemd-sysusers $memory/shipped/tracewell.sysusers
systemd-tmpfiles --create $memory/shipped/tracewell.tmpfiles

export container=tracewell-test SYSTEMD_UNIT_PATH=$memory/units
systemd=/usr/lib/systemd/systemd
[ -x $systemd ] || systemd=/lib/systemd/systemd
exec $systemd --system --unit=test.target --log-target=null --show-status=no

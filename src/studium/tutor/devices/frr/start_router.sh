# Starts the daemons of one router; runs in the router's network and host-name namespaces.
# usage: sh start_router.sh NAME PATHSPACE DAEMON_FOLDER DAEMON...
set -u
name=$1 pathspace=$2 programs=$3
shift 3
hostname "$name"
echo 1 >/proc/sys/net/ipv4/ip_forward
[ ! -e /proc/sys/net/ipv6/conf/all/forwarding ] || echo 1 >/proc/sys/net/ipv6/conf/all/forwarding

# A log would grow without bound; stdout leads nowhere.
start() { "$programs/$1" -d -N "$pathspace" -A 127.0.0.1 --log stdout -f /dev/null; }
start zebra || exit 1
for daemon in "$@"; do
  start "$daemon" &
done
wait

# Arguments: the directory of the programs, the port, the user to become or nothing.
set -eu
programs=$1 port=$2 user=$3
umask 077
dir=$(mktemp -d /tmp/consilium-postgres.XXXXXX)
server=
end() {
  if [ -n "$server" ]; then
    kill -QUIT "$server" 2>/dev/null || true
    wait "$server" || true
  fi
  rm -rf "$dir"
}
trap end EXIT
set --
if [ -n "$user" ]; then
  chown "$user" "$dir"
  set -- setpriv --reuid="$user" --regid="$user" --clear-groups
fi
# Whoever it runs as must be allowed to be where it stands.
cd "$dir"
"$@" "$programs/initdb" --pgdata="$dir/data" --username=consilium --auth=trust --encoding=UTF8 \
  --locale=C --no-sync >"$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
# Durability is not what these tests are about, and it would be most of their time.
"$@" "$programs/postgres" -D "$dir/data" -p "$port" -k "$dir" -c listen_addresses=127.0.0.1 \
  -c max_connections=300 -c fsync=off -c synchronous_commit=off -c full_page_writes=off \
  >"$dir/log" 2>&1 </dev/null &
server=$!
tries=0
until "$programs/pg_isready" --quiet --host="$dir" --port="$port"; do
  kill -0 "$server" 2>/dev/null || { cat "$dir/log" >&2; exit 1; }
  tries=$((tries + 1))
  [ "$tries" -lt 600 ] || { cat "$dir/log" >&2; exit 1; }
  sleep 0.1
done
echo ready
cat >/dev/null

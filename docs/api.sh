# Shell functions for the commands in docs/. Run `source docs/api.sh` (bash or zsh) in the folder of a running
# `npm start`. Sets URL (base URL of the tenant), KEY (API key that runs agents) and TOKEN (user token of an admin).

_local() {
  node -e '
    const file = `${process.env.WHARF_DATA_DIR || ".wharf"}/local.json`;
    if (!fs.existsSync(file)) {
      console.error(`${path.resolve(file)} does not exist. Run npm start first, or set WHARF_DATA_DIR as it is set there.`);
      process.exit(1);
    }
    const { baseUrl, tenantSlug, apiKey, userToken } = JSON.parse(fs.readFileSync(file));
    console.log(`export URL=${baseUrl}/v1/tenants/${tenantSlug} KEY=${apiKey} TOKEN=${userToken}`);'
}

# api METHOD PATH [BODY]: prints the response. A problem goes to stderr, and the function fails.
api() {
  local response
  if response=$(curl -sS --fail-with-body -X "$1" "$URL$2" -H "Authorization: Bearer $TOKEN" \
    -H 'Content-Type: application/json' -d "${3-}"); then
    [ -z "$response" ] || printf '%s\n' "$response"
  else
    printf '%s %s failed:\n%s\n' "$1" "$2" "$response" >&2
    return 1
  fi
}

# pick PATH: prints one member of the JSON on stdin, such as id or items[0].id. Fails if there is none.
pick() {
  node -e '
    const [wanted] = process.argv.slice(1);
    const text = fs.readFileSync(0, "utf8");
    const names = wanted.match(/\w+/g);
    const found = text && names.reduce((value, name) => value?.[name], JSON.parse(text));
    if (found === undefined || found === null || text === "") {
      console.error(`pick: there is no ${wanted} in ${text.trim() || "the empty response"}`);
      process.exit(1);
    }
    console.log(typeof found === "string" ? found : JSON.stringify(found));' "$1"
}

# poll PATH TEXT: repeats GET PATH until the response contains TEXT, and prints it. Fails after 2 minutes.
poll() {
  local attempt response
  for attempt in $(seq 600); do
    response=$(api GET "$1") || return 1
    case $response in *"$2"*) printf '%s\n' "$response"; return 0 ;; esac
    sleep 0.2
  done
  printf 'poll: there is no %s in %s\n' "$2" "$response" >&2
  return 1
}

# wharf: the command-line tool of this folder, unless it is installed.
_wharf=$PWD/cli/wharf.mjs
command -v wharf > /dev/null || wharf() { node "$_wharf" "$@"; }

_found=$(_local) && eval "$_found"

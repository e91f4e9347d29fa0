#!/usr/bin/env bash
# Hold the MCP server against tools that other people wrote: the protocol's conformance suite and the MCP inspector.
#
#   scripts/mcp_conformance.sh [DOMAIN]        default: library_lending
#
# PYTHON names the interpreter (default: .venv/bin/python), MCP_TOOLS_DIR where the Node tools are kept.
# Only scenarios that mean something for a domain server are run: the suite's others want its own fixture tools.
set -u -o pipefail

cd "$(dirname "$0")/.."
domain=${1:-library_lending}
python=${PYTHON:-.venv/bin/python}
case $python in /*) ;; */*) python=$PWD/$python ;; esac # the inspector starts it from elsewhere
tools=${MCP_TOOLS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/davinci-env/mcp-tools}
packages=(node@22 @modelcontextprotocol/conformance@0.1.16 @modelcontextprotocol/inspector@2.12.0)
scenarios=(server-initialize ping tools-list resources-list prompts-list dns-rebinding-protection)

if ! command -v npm >/dev/null; then
    echo "SKIPPED: npm is not installed, so the MCP conformance suite and the inspector were NOT run." >&2
    exit 0
fi

work=$(mktemp -d)
server=
finish() {
    if [ -n "$server" ]; then
        kill -TERM "$server" 2>/dev/null
        wait "$server" 2>/dev/null
    fi
    rm -rf "$work"
}
trap finish EXIT

stamp="$tools/installed"
if [ "$(cat "$stamp" 2>/dev/null)" != "${packages[*]}" ]; then
    echo "installing ${packages[*]} into $tools" >&2
    mkdir -p "$tools"
    [ -f "$tools/package.json" ] || echo '{"private": true}' >"$tools/package.json"
    if ! (cd "$tools" && npm install --no-audit --no-fund "${packages[@]}") >"$work/npm.log" 2>&1; then
        cat "$work/npm.log" >&2
        echo "FAILED: npm could not install the tools." >&2
        exit 1
    fi
    echo "${packages[*]}" >"$stamp"
fi
export PATH="$tools/node_modules/node/bin:$tools/node_modules/.bin:$PATH"
export HOME="$work" # the inspector keeps a catalog in the home directory

"$python" -m davinci_env.serve "$domain" --http 0 2>"$work/server.log" &
server=$!
url=
for _ in $(seq 300); do
    url=$(grep -o 'http://127\.0\.0\.1:[0-9]*/mcp' "$work/server.log" | head -n 1)
    [ -n "$url" ] && break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
done
if [ -z "$url" ]; then
    cat "$work/server.log" >&2
    echo "FAILED: the server did not start." >&2
    exit 1
fi

failures=0
report() { # NAME STATUS LOG
    if [ "$2" -eq 0 ]; then
        printf 'ok    %s\n' "$1"
    else
        printf 'FAIL  %s\n' "$1"
        sed 's/^/      /' "$3"
        failures=$((failures + 1))
    fi
}

echo "$domain at $url, node $(node --version)"
for scenario in "${scenarios[@]}"; do
    (cd "$work" && conformance server --url "$url" --scenario "$scenario") >"$work/$scenario.log" 2>&1
    report "conformance $scenario" $? "$work/$scenario.log"
done

# The inspector's command line, over HTTP and over stdio. The call is one of the domain's own: the first tool that
# needs no argument, or else any tool without arguments, which has to be refused with our error code.
inspect_http() { mcp-inspector --cli "$url" --transport http "$@"; }
inspect_stdio() { mcp-inspector --cli --transport stdio "$@" -- "$python" -m davinci_env.serve "$domain"; }
for way in http stdio; do
    "inspect_$way" --method tools/list --strict >"$work/tools.json" 2>"$work/list.log"
    status=$?
    "$python" - "$work/tools.json" >"$work/choice" 2>>"$work/list.log" <<'PY' || status=1
import json, sys
tools = json.load(open(sys.argv[1]))["tools"]
assert tools, "no tools were listed"
free = [tool["name"] for tool in tools if not tool["inputSchema"].get("required")]
print(len(tools), (free or [tools[0]["name"]])[0], "result" if free else "refusal")
PY
    read -r count tool expected <"$work/choice" || true
    report "inspector tools/list over $way (${count:-0} tools)" "$status" "$work/list.log"

    "inspect_$way" --method tools/call --tool-name "${tool:-none}" >"$work/call.json" 2>"$work/call.log"
    "$python" - "$work/call.json" "${expected:-}" >>"$work/call.log" 2>&1 <<'PY'
import json, sys
text = open(sys.argv[1]).read()
result = json.loads(text)
assert json.loads(result["content"][0]["text"]) == result["structuredContent"], text
if sys.argv[2] == "result":
    assert not result.get("isError"), text
else:
    assert result["isError"] and result["structuredContent"]["error"]["code"] == "invalid_arguments", text
PY
    report "inspector tools/call ${tool:-none} over $way (a ${expected:-?})" $? "$work/call.log"
done

if [ "$failures" -gt 0 ]; then
    echo "$failures of the checks failed"
    exit 1
fi
echo "all checks passed"

/** @module A stdio server for tests in containers whose image has a shell and nothing else. */

/** A server of a few lines that a shell runs. */
export const shellServer = `
answer() { echo "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":$1,\\"result\\":$2}"; }
echo "opened for $WHO" >&2
while read -r line; do
  id=$(echo "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
  case "$line" in
    *'"initialize"'*) answer "$id" '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"shell","version":"1"}}' ;;
    *'"tools/list"'*) answer "$id" '{"tools":[{"name":"fill","inputSchema":{"type":"object"}},{"name":"who","inputSchema":{"type":"object"}}]}' ;;
    *'"who"'*) answer "$id" '{"content":[{"type":"text","text":"somebody in a container"}]}' ;;
    *'"tools/call"'*) for n in 1 2 3 4; do head -c 8m /dev/zero > /tmp/$n; done; sleep 60 ;;
    *'"id"'*) echo "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":$id,\\"error\\":{\\"code\\":-32601,\\"message\\":\\"no\\"}}" ;;
  esac
done
`;

/** @module Calls to copy into a terminal: those that the examples were recorded from, with what earlier calls gave as shell variables. */
import {
  type ExampleCall,
  isNumeric,
  type OperationExample,
  setUp,
  variablePlace,
} from "../document/examples.ts";

/** Stands for the address of the service that shows the page. */
export const exampleOrigin = "http://127.0.0.1:7400";

/** The lines that the sample's address and key are put into, and every other example counts on. */
export function setUpExample(base: string): string {
  return [
    `export FETTLE_API_URL=${exampleOrigin}${base}`,
    "export FETTLE_API_KEY=sk_…",
    "# Makes a call, again where a key may not make so many at once; `first id …` prints the first `id` in its answer,",
    "# `pick Bookshop id …` that of the item of this name, or else the first.",
    `call() { curl -sS --retry 5 -H "Authorization: Bearer $FETTLE_API_KEY" -H "Content-Type: application/json" "$@"; }`,
    `first() { name=$1; shift; call "$@" | grep -o "\\"$name\\":\\"[^\\"]*\\"" | head -n 1 | cut -d '"' -f 4; }`,
    `pick() { item=$1; name=$2; shift 2; items=$(call "$@" | tr "{" "\\n" | grep "\\"$name\\":\\""); { echo "$items" | grep -F "\\"name\\":\\"$item\\""; echo "$items"; } | head -n 1 | grep -o "\\"$name\\":\\"[^\\"]*\\"" | head -n 1 | cut -d '"' -f 4; }`,
    "IN_AN_HOUR=$((($(date +%s) + 3600) * 1000))",
    ...setUp.map(earlierCall),
  ].join("\n");
}

export function curlExample({ request, first = [] }: OperationExample): string {
  const { method, path, body } = request;
  const lines = [
    `curl${method === "GET" ? "" : ` -X ${method}`} "$FETTLE_API_URL${path}"`,
    `-H "Authorization: Bearer $FETTLE_API_KEY"`,
    ...(body === undefined ? [] : [`-H "Content-Type: application/json"`, `-d ${shellJson(body)}`]),
  ];
  return [...first.map(earlierCall), lines.join(" \\\n  ")].join("\n");
}

function earlierCall({ method, path, body, set, field, called }: ExampleCall): string {
  const asked = [
    ...(method === "GET" ? [] : ["-X", method]),
    `"$FETTLE_API_URL${path}"`,
    ...(body === undefined ? [] : ["-d", shellJson(body)]),
  ].join(" ");
  if (set && called) return `${set}=$(pick "${called}" ${field} ${asked})`;
  return set ? `${set}=$(first ${field} ${asked})` : `call ${asked} > /dev/null`;
}

/** JSON in single quotes, which end where a variable stands. */
function shellJson(value: unknown): string {
  const quoted = JSON.stringify(value)
    .replaceAll("'", `'\\''`)
    .replaceAll(/"\$([A-Z][A-Z_]*)"/g, (text, name: string) => (isNumeric(name) ? `'$${name}'` : text))
    .replaceAll(variablePlace, (variable, _name, at: number, whole: string) =>
      whole[at - 1] === "'" ? variable : `'"${variable}"'`,
    );
  return `'${quoted}'`;
}

/**
 * @module Every command with a line that works and lines that do not, as a person would type them. What each says stands in `__golden__`.
 * `$SHOP` and the like are the servers and ids of `testing/golden-stage.ts`, `$N` is the format, so that both runs make a thing of their own; what every command refuses alike is added by the test.
 */

export interface Row {
  command: string;
  /** What follows the command's words, where it works. In order: what one makes, the next finds. */
  works: readonly string[];
  /** Mistakes that only this command can tell. */
  fails?: readonly string[];
  /** Stopped as by Ctrl-C once this was said. */
  until?: RegExp;
  /** Run first, for a line that names with a dollar what only this can tell. */
  before?: { line: string; names: (answer: Answer) => Record<string, unknown>; after?: string };
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the command answered; a row knows what it takes from it
type Answer = any;

const shop = "--url $SHOP";

/** As long as that what is said of it does not depend on the machine's speed. */
const aTask = (seconds: number): NonNullable<Row["before"]> => ({
  line: `tools call --url $EVERYTHING --tool-name slow_compute --tool-args '{"seconds":${seconds}}' --task`,
  names: ({ task, taskId }) => ({ TASK: taskId ?? task?.taskId }),
});

export const rows: readonly Row[] = [
  { command: "server doctor", works: [shop], fails: ["$PAGE"] },
  { command: "server probe", works: [shop, "--url $GUARDED"] },
  { command: "server info", works: [shop], fails: ["--url $GUARDED"] },
  { command: "server validate", works: [shop] },
  { command: "server ping", works: [shop], fails: ["-- no-such-command"] },
  { command: "server capabilities", works: [shop] },
  { command: "server export", works: [shop] },
  { command: "server surface lock", works: [`${shop} --lock lock.json`] },
  {
    command: "server surface check",
    works: [`${shop} --lock lock.json`],
    fails: [`${shop} --lock none.json`, "--url $DEAD --lock lock.json"],
  },
  {
    command: "server diff",
    works: [`${shop} --baseline lock.json`],
    fails: [`${shop} --baseline page.html`, "--url $DEAD --baseline lock.json"],
  },
  { command: "tools list", works: [shop, `${shop} --host claude`], fails: [`${shop} --host claud`] },
  {
    command: "tools call",
    works: [`${shop} --tool-name list_orders`],
    fails: [`${shop} --tool-name serch_books`, `${shop} --tool-name search_books --tool-args {nope`],
  },
  { command: "tools cost", works: [shop] },
  { command: "resources list", works: [shop] },
  {
    command: "resources read",
    works: [`${shop} --uri bookshop://books/small-weather`],
    fails: [`${shop} --uri bookshop://books/small-wether`],
  },
  { command: "resources templates", works: [shop] },
  { command: "prompts list", works: [shop] },
  {
    command: "prompts get",
    works: [`${shop} --prompt-name recommend_books --prompt-args '{"reader":"a sailor","mood":"cosy"}'`],
    fails: [`${shop} --prompt-name recommend_book`, `${shop} --prompt-name recommend_books`],
  },
  { command: "tasks capabilities", works: ["--url $EVERYTHING"], fails: [] },
  { command: "tasks list", works: ["--url $EVERYTHING --protocol-version 2025-11-25"], fails: [shop] },
  {
    command: "tasks get",
    works: ["--url $EVERYTHING --task-id $TASK"],
    fails: ["--url $EVERYTHING --task-id none"],
    before: aTask(30),
  },
  {
    command: "tasks result",
    works: ["--url $EVERYTHING --task-id $TASK"],
    fails: ["--url $EVERYTHING --task-id none"],
    before: { ...aTask(0.05), after: "tasks watch --url $EVERYTHING --task-id $TASK" },
  },
  {
    command: "tasks cancel",
    works: ["--url $EVERYTHING --task-id $TASK"],
    fails: ["--url $EVERYTHING --task-id none"],
    before: aTask(30),
  },
  {
    command: "tasks update",
    works: [],
    fails: [
      "--url $EVERYTHING --task-id none --input-responses {}",
      "--url $EVERYTHING --task-id $TASK --input-responses {nope",
    ],
    before: aTask(0.05),
  },
  {
    command: "tasks watch",
    works: ["--url $EVERYTHING --task-id $TASK"],
    fails: ["--url $EVERYTHING --task-id none"],
    before: aTask(0.05),
  },
  {
    command: "tasks conformance",
    works: [`--url $EVERYTHING --tool-name slow_compute --tool-args '{"seconds":0.1}' --category dispatch`],
    fails: ["--url $EVERYTHING --check-id tasks-wire-resolved"],
  },
  {
    command: "subscriptions listen",
    works: ["--url $EVERYTHING --list-changed --duration-ms 1500"],
    fails: [shop, `${shop} --list-changed`],
  },
  { command: "apps conformance", works: [shop], fails: [`${shop} --check-id ui-tool-present`] },
  {
    command: "apps render",
    works: [`${shop} --tool-name show_bookshelf --browser /nowhere/chromium`],
    fails: [`${shop} --tool-name show_bookshelf --viewport wide`],
  },
  { command: "apps conformance-suite", works: ["--config apps.json"], fails: ["--config none.json"] },
  { command: "compat", works: [`${shop} --host cursor`], fails: [`${shop} --host cursr`] },
  {
    command: "protocol conformance",
    works: [`${shop} --check-id server-initialize`],
    fails: [`${shop} --check-id server-initialise`],
  },
  { command: "protocol conformance-suite", works: ["--config protocol.json"], fails: ["--config none.json"] },
  { command: "conformance run", works: [`${shop} --suites apps`], fails: [`${shop} --suites ap`] },
  {
    command: "explain",
    works: ["server-initialize", "", "--suite tasks"],
    fails: ["server-initialise", "zebra"],
  },
  { command: "models list", works: ["", "--provider anthropic"], fails: ["--provider anthropc"] },
  {
    command: "models check",
    works: [],
    fails: ["", "--provider openai", "--config none.yaml"],
  },
  { command: "eval init", works: [`${shop} --out suite-$N.yaml`], fails: [`${shop} --out suite-$N.yaml`] },
  { command: "eval validate", works: ["--file suite.json"], fails: ["--file none.yaml", "--file page.html"] },
  {
    command: "eval run",
    works: [
      "--file suite.json --url $SHOP",
      "--file suite.json --url $SHOP --reporter json-summary --out run.json",
    ],
    fails: ["--file none.yaml --url $SHOP", "--file suite.json", "--file suite.json --url $DEAD"],
  },
  {
    command: "eval cassette status",
    works: ["--file suite.json"],
    fails: ["--file none.yaml"],
  },
  { command: "eval cassette prune", works: ["--file suite.json --yes"], fails: ["--file none.yaml --yes"] },
  { command: "eval compare", works: ["run.json run.json"], fails: ["run.json none.json"] },
  { command: "init ci", works: [`${shop} --out ci-$N.yml`], fails: [`${shop} --out ci-$N.yml`] },
  {
    command: "xaa run",
    works: [],
    fails: [`${shop} --issuer-base-url $ORIGIN --sub ada --client-id c`],
  },
  {
    command: "oauth login",
    works: ["--url $GUARDED --auth-mode headless --credentials-out credentials.json"],
    fails: [`${shop} --auth-mode headless`],
  },
  {
    command: "oauth conformance",
    works: ["--url $GUARDED --auth-mode headless --protocol-version 2025-11-25 --registration dcr"],
  },
  { command: "oauth conformance-suite", works: ["--config oauth.json"], fails: ["--config none.json"] },
  { command: "oauth metadata", works: ["--url $GUARDED"], fails: [shop] },
  { command: "oauth proxy", works: ["--url $GUARDED"] },
  { command: "oauth debug-proxy", works: ["--url $GUARDED"] },
  { command: "inspector start", works: ["--help"], fails: ["--inspector-url nowhere"] },
  {
    command: "inspector open",
    works: ["--help"],
    fails: ["--tab //evil.example", "--tab /p --url http://127.0.0.1:1/mcp"],
  },
  { command: "inspector stop", works: [""], fails: ["--inspector-url nowhere"] },
  { command: "inspector serve", works: ["--port 0"], fails: ["--port high"], until: /http/ },
  { command: "dev", works: ["--help"], fails: ["--url http://127.0.0.1:9/mcp --watch src"] },
  { command: "mcp", works: [""], until: /serving/ },
  {
    command: "serve",
    works: ["--port 0 --data $DATA"],
    fails: ["--port high", "--host 0.0.0.0"],
    until: /http/,
  },
  { command: "work", works: ["--data $DATA"], fails: ["--log-level loud"], until: /./ },
  { command: "admin people", works: [""] },
  {
    command: "admin sign-in-link",
    works: ["--email sample@fettle.local"],
    fails: ["--email eve@example.com"],
  },
  {
    command: "admin end-sessions",
    works: ["--email sample@fettle.local"],
    fails: ["--email eve@example.com"],
  },
  {
    command: "cloud login",
    works: ["--no-browser --api-url $LOGIN"],
    fails: ["--no-browser --api-url $DEAD"],
  },
  { command: "cloud logout", works: ["--api-url $LOGIN"] },
  { command: "cloud whoami", works: [""] },
  { command: "cloud status", works: [""] },
  { command: "cloud link", works: ["$PROJECT", ""], fails: ["Smple"] },
  { command: "cloud organizations list", works: [""] },
  { command: "cloud projects list", works: [""], fails: ["--org none"] },
  { command: "cloud projects create", works: ["--name Second-$N"] },
  {
    command: "cloud projects update",
    works: ["--project Second-$N --description Spare"],
    fails: ["--project Secnd-$N --name x", "--project Second-$N"],
  },
  { command: "cloud projects delete", works: ["--project Second-$N --yes"], fails: ["--project Second-$N"] },
  { command: "cloud projects servers", works: [""] },
  { command: "cloud projects servers list", works: [""], fails: ["--project Smple"] },
  { command: "cloud projects servers get", works: ["--server Bookshop"], fails: ["--server Bokshop"] },
  {
    command: "cloud projects servers add",
    works: ["--name Shop-$N --url $SHOP"],
    fails: ["--name Shop-$N", "--name Shop-$N --url $SHOP", "--name Shop --url nope"],
  },
  {
    command: "cloud projects servers update",
    works: ["--server Shop-$N --name Store-$N"],
    fails: ["--server Store-$N"],
  },
  { command: "cloud projects servers import", works: [".mcp.json", ""], fails: ["none.json", "page.html"] },
  {
    command: "cloud projects servers connect",
    works: ["--url $EVERYTHING"],
    fails: ["--url nope", "--url $SHOP"],
  },
  {
    command: "cloud projects servers connect-status",
    works: ["--request $REQUEST"],
    fails: ["--request none"],
    before: {
      line: "cloud projects servers connect --url $EVERYTHING",
      names: ({ connectionRequestId }) => ({ REQUEST: connectionRequestId }),
    },
  },
  {
    command: "cloud projects servers connect-cancel",
    works: ["--request $REQUEST"],
    fails: ["--request none"],
    before: {
      line: "cloud projects servers connect --url $EVERYTHING",
      names: ({ connectionRequestId }) => ({ REQUEST: connectionRequestId }),
    },
  },
  {
    command: "cloud projects servers remove",
    works: ["--server Store-$N --yes"],
    fails: ["--server Store-$N"],
  },
  {
    command: "cloud tunnel",
    works: ["$SHOP --server Tunnel-$N"],
    fails: [""],
    until: /Ctrl-C/,
  },
  { command: "cloud clients templates", works: [""] },
  {
    command: "cloud clients create",
    works: ["--name Mine-$N --template claude"],
    fails: ["--name Mine --template claud"],
  },
  { command: "cloud clients list", works: [""] },
  { command: "cloud clients get", works: ["--client Mine-$N"], fails: ["--client Mien-$N", ""] },
  {
    command: "cloud clients update",
    works: ["--client Mine-$N --name Ours-$N --expected-name Mine-$N"],
    fails: ["--client Ours-$N", "--client Ours-$N --name Mine-$N"],
  },
  {
    command: "cloud clients servers",
    works: ["--client Ours-$N --server-ids $SERVER --expected-config-id $CONFIG"],
    fails: ["--client Ours-$N --server-ids none --expected-config-id none"],
    before: {
      line: "cloud clients get --client Ours-$N",
      names: ({ configId, config }) => ({ CONFIG: configId ?? config?.id }),
    },
  },
  {
    command: "cloud clients duplicate",
    works: ["--client Ours-$N --name Theirs-$N"],
    fails: ["--client Nobody"],
  },
  { command: "cloud clients delete", works: ["--client Theirs-$N --yes"], fails: ["--client Ours-$N"] },
  { command: "cloud environments ensure-adhoc", works: ["--host Ours-$N"], fails: ["--host Orus-$N"] },
  {
    command: "cloud environments create",
    works: ["--name Desk-$N --host-id $CLIENT"],
    fails: ["--name Desk", "--name Desk --host claude"],
    before: { line: "cloud clients get --client Ours-$N", names: ({ id }) => ({ CLIENT: id }) },
  },
  { command: "cloud environments list", works: [""] },
  { command: "cloud environments get", works: ["--environment Desk-$N"], fails: ["--environment Dsk-$N"] },
  { command: "cloud environments resolve", works: ["--environment Desk-$N"] },
  {
    command: "cloud environments update",
    works: ["--environment Desk-$N --expected-revision 1 --description Oak"],
    fails: ["--environment Desk-$N --expected-revision 99 --description Elm"],
  },
  {
    command: "cloud environments archive",
    works: ["--environment Desk-$N --expected-revision 2"],
    fails: ["--environment Desk-$N --expected-revision 99"],
  },
  {
    command: "cloud environments restore",
    works: ["--environment Desk-$N --expected-revision 3"],
    fails: ["--environment Desk-$N --expected-revision 99"],
  },
  {
    command: "cloud environments name",
    works: ["--environment $ADHOC --expected-revision 1 --name Bench-$N"],
    fails: ["--environment none --expected-revision 1 --name Bench"],
    before: {
      line: "cloud environments ensure-adhoc --host Ours-$N",
      names: ({ environment }) => ({ ADHOC: environment?.id }),
    },
  },
  {
    command: "cloud server-groups create",
    works: ["--name All-$N --server Bookshop"],
    fails: ["--name All --server Bokshop"],
  },
  { command: "cloud server-groups list", works: [""] },
  { command: "cloud skills list", works: [""] },
  { command: "cloud skills get", works: [], fails: ["--skill none"] },
  { command: "cloud eval validate", works: ["--file suite.json"], fails: ["--file none.json"] },
  { command: "cloud plugins list", works: [""] },
  { command: "cloud plugins version", works: [], fails: ["--version-id none"] },
  { command: "telemetry status", works: [""] },
  { command: "telemetry enable", works: [""] },
  { command: "telemetry disable", works: [""] },
  { command: "completion", works: ["bash"], fails: ["bahs"] },
  { command: "complete", works: ["'fettle cloud clients list --project '"] },
  { command: "help", works: ["tools list"], fails: ["tools lst"] },
];

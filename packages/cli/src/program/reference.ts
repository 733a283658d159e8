/** @module `docs/cli.md`, made from the registry; a test keeps the committed file fresh. */

import type { CommandNode } from "./command.ts";
import { sections } from "./command.ts";
import { type FlagTable, spelling } from "./flag.ts";
import { describeFlag, usageOf } from "./help.ts";
import { credentialFlags, globalFlags } from "./shared-flags.ts";
import { namesOf, ownFlags, walk } from "./tree.ts";

export function commandReference(root: CommandNode): string {
  const nodes = [...walk(root)].filter((node) => node.path.length > 0);
  return `${[
    "# The `fettle` command",
    "Made from the command registry by `npm run generate`; do not edit by hand. `fettle <command> --help` says the same.",
    ...conventions,
    "## Global flags",
    "Before or after any word.",
    flagRows(globalFlags),
    "## Credential flags",
    "On `cloud` and every command below it, before or after. Typed twice, the last one wins.",
    flagRows(credentialFlags),
    ...Object.entries(sections).flatMap(([section, title]) => {
      const own = nodes.filter((node) => node.declaration.section === section);
      return own.length === 0 ? [] : [`## ${title}`, ...own.map(describe)];
    }),
  ].join("\n\n")}\n`;
}

const conventions = [
  "## Output",
  [
    "- stdout carries the result alone. `--format json` prints one compact JSON document; `--format human` is made for eyes and may change.",
    "- stderr carries errors, warnings, notes and progress; `--quiet` keeps the errors only.",
    '- A failure is `{"error":{"code","message","details"?,"hint"?,"choices"?,"moreChoices"?,"nextCommand"?}}` on stderr in json (the choices likeliest first, how many more there are, the command as it can be pasted), a sentence and a hint in human.',
    "- Exit 0: done. 1: it ran and reports a failure. 2: bad flags, input or credential; nothing was asked of anyone. 130: interrupted. Others are said with their command.",
    "- A command with --url also takes the address alone (`fettle tools list http://127.0.0.1:3001/mcp`), and one with --command the command behind two dashes (`fettle server doctor -- node server.js`).",
    "- Colour only on a terminal; `NO_COLOR` turns it off, `FORCE_COLOR` on.",
    "- A newer version is mentioned on stderr, at most once a day, when `~/.fettle/update-check.json` knows of one. This build never asks anyone for it.",
  ].join("\n"),
  "## Environment",
  [
    "| variable | use |",
    "|---|---|",
    "| `FETTLE_API_KEY` | API key (`sk_...`) where `--api-key` is not given |",
    "| `FETTLE_API_URL` | API base where `--api-url` is not given; an address without a path means its `/api/v1` |",
    "| `FETTLE_API_HEADERS` | extra request headers, one `Name: value` per line |",
    "| `FETTLE_PROJECT` | project where `--project` is not given |",
    "| `FETTLE_HOME` | where Fettle keeps its files; else `~/.fettle` |",
    "| `FETTLE_AUTH_FILE` | where the login is kept; else `auth.json` in the above |",
    "| `FETTLE_CLI_DISABLE_BROWSER_OPEN=1` | never open a browser |",
    "| `FETTLE_TELEMETRY_DISABLED=1`, `DO_NOT_TRACK=1` | telemetry off, whatever was enabled |",
    "| `FETTLE_NO_UPDATE_CHECK`, `NO_UPDATE_NOTIFIER`, `CI` | no word about newer versions |",
  ].join("\n"),
];

function describe(node: CommandNode): string {
  const { declaration, word } = node;
  const aliases = namesOf(node).filter((name) => name !== word);
  const parts = [
    `### \`fettle ${declaration.name}\``,
    `${declaration.summary}.${aliases.length > 0 ? ` Also spelled \`${aliases.join("`, `")}\`.` : ""}`,
    ...(declaration.description ?? []),
  ];
  if (declaration.kind === "group") return parts.join("\n\n");
  const named = Object.entries(declaration.arguments).map(
    ([name, { help, choices }]) => `| \`${name}\` | ${help}${choices ? `: ${choices.join(", ")}` : ""} |`,
  );
  const examples = declaration.examples.map(({ command, does }) => `# ${does}\n${command}`);
  return [
    ...parts,
    `\`\`\`\n${usageOf(node)}\n\`\`\``,
    ...(named.length > 0 ? [["| argument | |", "|---|---|", ...named].join("\n")] : []),
    ...(Object.keys(ownFlags(node)).length > 0 ? [flagRows(ownFlags(node))] : []),
    `\`\`\`sh\n${examples.join("\n")}\n\`\`\``,
  ].join("\n\n");
}

function flagRows(table: FlagTable): string {
  const rows = Object.entries(table)
    .filter(([, flag]) => !flag.hidden)
    .map(([name, flag]) => `| \`${spelling(name, flag).replaceAll("|", "\\|")}\` | ${describeFlag(flag)} |`);
  return ["| flag | |", "|---|---|", ...rows].join("\n");
}

/**
 * @module What every command says, when it works and when it cannot, for people and for machines: read `__golden__` as a newcomer would.
 * `vitest run -u` writes it anew. No error is a dead end, and every command that is advised is one that exists.
 */
import { exitCodes } from "@fettle/contract/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tree } from "../commands/index.ts";
import { splitWords } from "../output/split-words.ts";
import type { Command } from "../program/command.ts";
import { parse } from "../program/parse.ts";
import { takesTarget } from "../program/target-words.ts";
import { findNode, walk } from "../program/tree.ts";
import { testDeployment } from "../testing/deployment.ts";
import { openStage, type Ran, type Stage } from "../testing/golden-stage.ts";
import { evalRows } from "./eval-rows.ts";
import { imageRows } from "./image-rows.ts";
import { legible, normaliser } from "./normalise.ts";
import { noticeRows } from "./notice-rows.ts";
import { readinessRows } from "./readiness-rows.ts";
import { registryRows } from "./registry-rows.ts";
import { rows as mostRows, type Row } from "./rows.ts";
import { serverHistoryRows } from "./server-history-rows.ts";
import { sessionRows } from "./session-rows.ts";
import { swarmRows } from "./swarm-rows.ts";
import { userTestingRows } from "./user-testing-rows.ts";

const rows = [
  ...mostRows,
  ...swarmRows,
  ...evalRows,
  ...sessionRows,
  ...userTestingRows,
  ...serverHistoryRows,
  ...registryRows,
  ...imageRows,
  ...noticeRows,
  ...readinessRows,
];

let stage: Stage & AsyncDisposable;
let normal: (said: string) => string;
beforeAll(async () => {
  stage = await openStage();
  normal = normaliser(stage);
});
afterAll(() => stage?.[Symbol.asyncDispose]());

test("every command has its row, and every row its command", () => {
  const declared = [...walk(tree)].flatMap(({ declaration }) =>
    declaration.kind === "command" ? declaration.name : [],
  );
  expect(rows.map(({ command }) => command).toSorted()).toEqual(declared.toSorted());
});

interface Told {
  line: string;
  json: Ran;
  human: Ran;
}

const errors: Told[] = [];
const advised = new Set<string>();

describe.each(Object.entries(Object.groupBy(rows, fileOf)))("%s", (word, group = []) => {
  test("says what it said before", async () => {
    if (word === "cloud") stage.names.LOGIN = (await testDeployment()).apiUrl;
    const told: string[] = [];
    for (const row of group) {
      for (const tail of row.works) told.push(shown(await tell(row, tail)));
      for (const tail of failing(row)) {
        const one = await tell(row, tail);
        errors.push(one);
        told.push(shown(one));
      }
      for (const signedOut of signedOutOf(row)) {
        const one = await tell(row, signedOut, { FETTLE_API_KEY: "" });
        errors.push(one);
        told.push(shown(one, "signed out"));
      }
    }
    await expect(`${told.join("\n")}`).toMatchFileSnapshot(`__golden__/${word}.txt`);
  });
});

/** By first word, and those of the deployment also by their second: each file is one sitting. */
function fileOf({ command }: Row): string {
  const [word, second, third] = command.split(" ");
  return word === "cloud" && third ? `cloud-${second}` : word!;
}

/** The inspector keeps a server without asking it, and needs none; one under work is waited for. */
const asksTarget = (command: Command) =>
  takesTarget(command) && !["inspector open", "dev"].includes(command.name);

/** The mistakes of this command, and those that anybody can make with any command. */
function failing(row: Row): string[] {
  const node = findNode(tree, row.command.split(" "))!;
  // Every row names a command: the first test holds it.
  const command = node.declaration as Command;
  const needs = [...Object.values(command.arguments), ...Object.values(command.flags)].some(
    (declared) => "required" in declared && declared.required,
  );
  return [
    ...(needs || asksTarget(command) ? [""] : []),
    ...(asksTarget(command) ? ["$DEAD"] : []),
    ...(row.fails ?? []),
    "--no-such-flag",
  ];
}

function signedOutOf({ command, works }: Row): string[] {
  const isOpen = [
    "cloud login",
    "cloud logout",
    "cloud status",
    "cloud clients templates",
    "cloud eval validate",
  ].includes(command);
  return command.startsWith("cloud ") && !isOpen ? works.slice(0, 1) : [];
}

async function tell(row: Row, tail: string, env: Record<string, string> = {}): Promise<Told> {
  const line = `${row.command} ${tail}`.trim();
  const ran = async (format: string) => {
    const names: Record<string, unknown> = { ...stage.names, N: format };
    const typed = (text: string) =>
      splitWords(text).map((word) => word.replaceAll(/\$([A-Z]+)/g, (_, name) => String(names[name])));
    const unknown = [...line.matchAll(/\$([A-Z]+)/g)].some(([, name]) => !(name! in names));
    if (row.before && unknown) {
      const first = await stage.run([...typed(row.before.line), "--format", "json"]);
      Object.assign(names, row.before.names(JSON.parse(first.stdout || "{}")));
      if (row.before.after) await stage.run(typed(row.before.after));
    }
    const argv = typed(line);
    // Before what stands behind two dashes.
    const at = argv.includes("--") ? argv.indexOf("--") : argv.length;
    return stage.run([...argv.slice(0, at), "--format", format, ...argv.slice(at)], {
      until: row.until,
      env,
    });
  };
  const human = await ran("human");
  const json = await ran("json");
  for (const said of [human.stdout, human.stderr, json.stderr]) {
    for (const found of commandsIn(said)) advised.add(found);
  }
  return { line, human, json };
}

function shown({ line, human, json }: Told, when?: string): string {
  const part = (ran: Ran) =>
    [ran.stdout, ran.stderr && `! ${ran.stderr.trimEnd().replaceAll("\n", "\n! ")}`].filter(Boolean).join("");
  return [
    `$ fettle ${line}${when ? `    # ${when}` : ""}`,
    legible(normal(part(human))),
    `--- json (exit ${json.exitCode}${human.exitCode === json.exitCode ? "" : `, for people ${human.exitCode}`})`,
    [json.stdout, json.stderr]
      .filter(Boolean)
      .map((text) => normal(legible(text)))
      .join("\n! "),
    "",
  ].join("\n");
}

/** Between backticks, behind "Next:", or alone behind an arrow. */
function commandsIn(said: string): string[] {
  return [
    ...said.matchAll(/`(fettle [^`]+)`|(?:Next:|→) (fettle .+)$|"nextCommand":("fettle (?:[^"\\]|\\.)*")/gm),
  ].map(([, quoted, next, json]) => quoted ?? next ?? JSON.parse(json!));
}

/** The envelope is the last line of stderr. */
function errorIn({ stderr }: Ran): { hint?: string; nextCommand?: string } | undefined {
  const last = stderr.trim().split("\n").at(-1) ?? "";
  return last.startsWith('{"error"') ? JSON.parse(last).error : undefined;
}

test("no error is a dead end", () => {
  const dead = errors.flatMap(({ line, json }) => {
    if (json.exitCode === 0) return [`${line}: did not fail`];
    const error = errorIn(json);
    // A report that a server is bad, or that nothing could be told, is a result; it says so itself.
    if (!error && json.stdout !== "") return [];
    return error?.hint || error?.nextCommand ? [] : [`${line}: ${json.stderr || json.stdout}`.slice(0, 300)];
  });
  expect(dead).toEqual([]);
});

test("every advised command exists, with its flags, and needs nothing filled in", () => {
  const wrong = [...advised].flatMap((line) => {
    try {
      parse(tree, splitWords(line).slice(1));
    } catch (error) {
      return [`${line}: ${(error as Error).message}`];
    }
    return /<[a-z-]+>|\.\.\.|…/.test(line) ? [`${line}: cannot be pasted`] : [];
  });
  expect(wrong).toEqual([]);
});

/** They only look, so that pasting them harms nobody. */
const looking =
  /^fettle .*\b(list|get|resolve|status|people|probe|info|capabilities|check|explain)\b|--help$/;

test("every advised command that only looks can be run as it was printed", async () => {
  const refused: string[] = [];
  for (const line of [...advised].filter((each) => looking.test(each))) {
    // What a person is told to set before.
    const typed = splitWords(line.replace("$SERVER_URL", stage.names.SHOP!)).slice(1);
    const { exitCode, stderr } = await stage.run([...typed, "--format", "json"]);
    if (exitCode === exitCodes.usage) refused.push(`${line}: ${stderr}`);
  }
  expect(refused).toEqual([]);
});

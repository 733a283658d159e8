/**
 * @module `fettle complete <line>`: what could follow, for the completion scripts: one name a line, or nothing. It asks a deployment
 * one is signed in to, or the server whose address stands in the line, for at most a moment, and never says what went wrong.
 */
import { createHash } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { must } from "@fettle/contract/formats";
import { liveArgument, liveSource, namesIn, type Source } from "../../completion/live.ts";
import { stateFolder } from "../../files/home.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { splitWords } from "../../output/split-words.ts";
import type { Call, CommandNode } from "../../program/command.ts";
import type { noFlags } from "../../program/shared-flags.ts";
import { acceptedFlags, findNode, namesOf } from "../../program/tree.ts";
import type { completeArguments } from "./flags.ts";

/** A person waits at the keyboard. */
const patienceMs = 2_500;
/** Tab is pressed again and again. */
const keptMs = 30_000;

type Completing = Call<typeof noFlags, typeof completeArguments>;

export async function run(call: Completing): Promise<undefined> {
  const words = wordsOf(call.arguments.line);
  const asked = question(call.tree, words);
  const names =
    words[0] === "help"
      ? helpWords(call.tree, words.slice(1))
      : asked
        ? await kept(asked, call).catch(() => [])
        : [];
  call.print.document(names.map((name) => `${name}\n`).join(""));
}

/** The command that lists what may follow, with the flags that were typed for it. */
function question(tree: CommandNode, words: readonly string[]): string[] | undefined {
  const node = deepest(tree, words);
  const last = words.at(-1) ?? "";
  const name = last.replace(/^--/, "");
  const flag = last === name ? undefined : acceptedFlags(node)[name];
  const source = flag && flag.kind !== "boolean" ? liveSource(node, name, flag) : liveArgument(node);
  if (!source) return undefined;
  const typed = flagsFor(tree, source, words.slice(0, -1), name);
  return source.of === "server" && typed.length === 0 ? undefined : [...source.list, ...typed];
}

/** The commands below the one that help is wanted for. */
function helpWords(tree: CommandNode, words: readonly string[]): string[] {
  return findNode(tree, words)?.children.map(({ word }) => word) ?? [];
}

/** Without the program's name and the word that is being typed. A quote that is still open is no line yet. */
function wordsOf(line: string): string[] {
  try {
    const words = splitWords(line).slice(1);
    return /\s$/.test(line) ? words : words.slice(0, -1);
  } catch {
    return [];
  }
}

function deepest(root: CommandNode, words: readonly string[]): CommandNode {
  const [word = "", ...rest] = words;
  const child = root.children.find((each) => namesOf(each).includes(word));
  return child ? deepest(child, rest) : root;
}

/** Only a server with an address: a Tab starts no processes. */
function flagsFor(
  tree: CommandNode,
  { list, of }: Source,
  words: readonly string[],
  completed: string,
): string[] {
  if (of === "nobody") return [];
  const accepted = acceptedFlags(must(findNode(tree, list), "the command that lists"));
  const flags = words.flatMap((word, at) => {
    const name = word.replace(/^--/, "");
    const isWanted =
      word !== name && accepted[name] && accepted[name].kind !== "boolean" && name !== completed;
    const value = words[at + 1];
    return isWanted && value !== undefined ? [word, value] : [];
  });
  if (of === "deployment") return flags;
  const address = words.find((word, at) => /^https?:\/\//.test(word) && !words[at - 1]?.startsWith("--"));
  if (flags.includes("--command") || (!flags.includes("--url") && address === undefined)) return [];
  return [...(address === undefined ? [] : [address]), ...flags];
}

async function kept(asked: readonly string[], call: Completing): Promise<string[]> {
  const { world } = call;
  const { FETTLE_API_URL, FETTLE_API_KEY, FETTLE_PROJECT } = world.env;
  const of = JSON.stringify([asked, FETTLE_API_URL, FETTLE_API_KEY, FETTLE_PROJECT, world.cwd]);
  const folder = join(stateFolder(world), "cache", "completion");
  const file = join(folder, createHash("sha256").update(of).digest("hex"));
  const age = await stat(file).then(
    ({ mtimeMs }) => world.now() - mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );
  if (age < keptMs) return JSON.parse(await readFile(file, "utf8"));
  const names = namesIn(await answerTo(asked, call));
  if (names.length > 0) {
    await makeFolder(folder, 0o700);
    await writeFile(file, JSON.stringify(names), { mode: 0o600 });
  }
  return names;
}

async function answerTo(asked: readonly string[], { tree, runOther, world }: Completing): Promise<unknown> {
  const said: string[] = [];
  const stdout = { write: (chunk: string) => said.push(chunk) };
  const quietly = ["--format", "json", "--quiet", "--no-telemetry", "--timeout", String(patienceMs)];
  // Loaded first: the time is the asking's.
  const { declaration } = deepest(tree, asked);
  if (declaration.kind === "command") await declaration.load();
  const late = new Promise((resolve) => setTimeout(resolve, patienceMs).unref());
  const running = runOther([...asked, ...quietly], { ...world, stdout, stderr: { write() {} } });
  await Promise.race([running, late]);
  return JSON.parse(said.join("") || "{}");
}

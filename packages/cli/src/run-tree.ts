/** @module One run of the command in a given world: parse, load the one command asked for, print, answer the exit code. Of any tree of commands. */
import { type ExitCode, exitCodes } from "@fettle/contract/core";
import { toCliError } from "./cli-error.ts";
import { createInput } from "./input/input.ts";
import { defaultFormat, scanFormat } from "./output/format.ts";
import { createPrinter, type Printer } from "./output/printer.ts";
import { type Adviser, advisedError, advisedNext, adviseLine, asMeant, inProgram } from "./program/advice.ts";
import type { Call, CommandNode } from "./program/command.ts";
import { camelCase, type FlagTable } from "./program/flag.ts";
import { renderHelp } from "./program/help.ts";
import { type Parsed, parse, type Values } from "./program/parse.ts";
import { reportRun } from "./telemetry/report-run.ts";
import { updateNotice } from "./update-notice.ts";
import { version } from "./version.ts";
import type { World } from "./world.ts";

/** Never throws and never ends the process, so that it can be called again. */
export async function runTree(tree: CommandNode, argv: readonly string[], world: World): Promise<ExitCode> {
  const format = scanFormat(argv) ?? defaultFormat(world.stdout.isTTY === true);
  const print = createPrinter(world, { format, quiet: false });
  const parsed = await attempt({ tree, world, argv, print }, async () => parse(tree, argv));
  if (!parsed.ok) return parsed.exitCode;
  switch (parsed.value.kind) {
    case "version":
      print.document(`${version}\n`);
      return exitCodes.ok;
    case "help": {
      const { node } = parsed.value;
      print.page((width) => renderHelp(node, width));
      return exitCodes.ok;
    }
    case "call":
      return call(parsed.value, { tree, world, argv });
  }
}

interface Run {
  tree: CommandNode;
  world: World;
  argv: readonly string[];
}

async function call(
  parsed: Extract<Parsed, { kind: "call" }>,
  { tree, world, argv }: Run,
): Promise<ExitCode> {
  const { command, values } = parsed;
  // The parser filled these from the same tables that the types are made of.
  const global = values as Call["global"];
  const withHeaders: Values = { apiHeader: [], ...values };
  const credentials = withHeaders as Call["credentials"];
  const format = global.format ?? defaultFormat(world.stdout.isTTY === true);
  const print = createPrinter(world, { format, quiet: global.quiet });
  const startedAt = performance.now();
  const adviser: Adviser = { command, values, world };
  const done = await attempt(
    { tree, world, argv, print },
    async () => {
      const { run: handle } = await command.load();
      const flags = pick(values, command.flags);
      const input = createInput(world);
      const outcome = await handle({
        flags,
        arguments: parsed.arguments,
        global,
        credentials,
        print,
        input,
        world,
        advise: (line: string) => adviseLine(tree, adviser, line),
        tree,
        runOther: (other: readonly string[], elsewhere: World) => runTree(tree, other, elsewhere),
      } as never);
      const { hint } = outcome ?? {};
      if (outcome) {
        print.result({ ...outcome, ...(hint !== undefined && { hint: advisedNext(tree, adviser, hint) }) });
      }
      await outcome?.leaving;
      return outcome?.exitCode ?? exitCodes.ok;
    },
    adviser,
  );
  const exitCode = done.ok ? done.value : done.exitCode;
  await reportRun(world, global.noTelemetry, {
    command: command.name,
    exitCode,
    durationMs: performance.now() - startedAt,
    errorCode: done.ok ? undefined : done.code,
  });
  if (exitCode === exitCodes.ok && !global.quiet) {
    const notice = await updateNotice(world);
    if (notice) print.note(notice);
  }
  return exitCode;
}

function pick(values: Values, table: FlagTable): Values {
  return Object.fromEntries(Object.keys(table).map((name) => [camelCase(name), values[camelCase(name)]]));
}

type Attempt<T> = { ok: true; value: T } | { ok: false; exitCode: ExitCode; code: string };

/** A failure is printed where it happens and goes on as an exit code. */
async function attempt<T>(
  { tree, world, argv, print }: Run & { print: Printer },
  work: () => Promise<T>,
  adviser?: Adviser,
): Promise<Attempt<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (thrown) {
    const failure = toCliError(thrown);
    const error = inProgram(
      world,
      asMeant(tree, argv, adviser ? advisedError(tree, adviser, failure) : failure),
    );
    print.error(error);
    return { ok: false, exitCode: error.exitCode, code: error.code };
  }
}

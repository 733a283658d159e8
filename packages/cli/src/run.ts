/** @module One run of the command in a given world: parse, load the one command asked for, print, answer the exit code. */
import { type ExitCode, exitCodes } from "@fettle/contract";
import { toCliError } from "./cli-error.ts";
import { createInput } from "./input/input.ts";
import { defaultFormat, scanFormat } from "./output/format.ts";
import { createPrinter } from "./output/printer.ts";
import { renderHelp } from "./program/help.ts";
import { type Parsed, parse } from "./program/parse.ts";
import type { Call } from "./registry/command.ts";
import { tree } from "./registry/registry.ts";
import { version } from "./version.ts";
import type { World } from "./world.ts";

/**
 * Runs the command once. Never throws and never ends the process, so that it can be called again.
 *
 * @example
 * const code = await run(["cloud", "status", "--format", "json"], processWorld());
 */
export async function run(argv: readonly string[], world: World): Promise<ExitCode> {
  const usual = defaultFormat(world.stdout.isTTY === true);
  try {
    const parsed = parse(tree, argv);
    switch (parsed.kind) {
      case "version":
        world.stdout.write(`${version}\n`);
        return exitCodes.ok;
      case "help":
        createPrinter(world, { format: usual, quiet: false }).page((width) => renderHelp(parsed.node, width));
        return exitCodes.ok;
      case "call":
        return await call(parsed, world);
    }
  } catch (thrown) {
    const error = toCliError(thrown);
    createPrinter(world, { format: scanFormat(argv) ?? usual, quiet: false }).error(error);
    return error.exitCode;
  }
}

async function call(
  { command, values, arguments: operands }: Extract<Parsed, { kind: "call" }>,
  world: World,
) {
  // The parser filled these from the same tables that the types are made of.
  const global = values as Call["global"];
  const credentials = { apiHeader: [], ...values } as unknown as Call["credentials"];
  const print = createPrinter(world, {
    format: global.format ?? defaultFormat(world.stdout.isTTY === true),
    quiet: global.quiet,
  });
  const { run: handle } = await command.load();
  const outcome = await handle({
    flags: values,
    arguments: operands,
    global,
    credentials,
    print,
    input: createInput(world),
    world,
  } as never);
  if (outcome) print.result(outcome);
  return outcome?.exitCode ?? exitCodes.ok;
}

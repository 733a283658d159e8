/** @module Before something is deleted: on a terminal its name is typed, elsewhere `--yes` says that it is meant. */
import { usageError } from "../cli-error.ts";
import { canAsk, openTerminal } from "../connection/terminal.ts";
import { style, text } from "../output/text.ts";
import type { Call } from "../program/command.ts";

type AskingCall = Pick<Call, "print" | "world">;

/** Before any request: a script that did not say `--yes` learns what to type. */
export function refuseUnasked(call: AskingCall, command: string): void {
  if (canAsk(call.world)) return;
  throw usageError("Nothing was deleted: it needs --yes where nobody can be asked.", {
    hint: "Say that it is meant with --yes",
    nextCommand: command,
  });
}

/** Typing the name is the consent; anything else leaves all as it was. */
export async function askForName(
  call: AskingCall,
  { id, name }: { id?: string; name: string },
): Promise<void> {
  const terminal = openTerminal(call.world, call.print);
  try {
    const which = id === undefined || id === name ? "" : text` ${style.dim(`(${id})`)}`;
    const typed = await terminal.ask(
      text`${style.yellow("!")} This deletes ${style.bold(name)}${which} for good. Type its name to go on:`,
    );
    if (typed?.trim() === name) return;
  } finally {
    terminal.close();
  }
  throw usageError(`Nothing was deleted: that is not the name "${name}".`, {
    hint: "Type the name as it is written, or say --yes.",
  });
}

/** Where nobody can be asked, whoever wrote the command has meant it. */
export async function askWhether(call: AskingCall, what: string): Promise<void> {
  if (call.print.format !== "human" || !canAsk(call.world)) return;
  const terminal = openTerminal(call.world, call.print);
  try {
    const typed = await terminal.ask(text`${style.yellow("!")} ${what} Go on? ${style.dim("[y/N]")}`);
    if (typed !== undefined && /^(y|yes)$/i.test(typed.trim())) return;
  } finally {
    terminal.close();
  }
  throw usageError("Nothing was done: you did not say yes.");
}

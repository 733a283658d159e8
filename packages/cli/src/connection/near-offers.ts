/** @module A call that failed because the server offers nothing of that name is answered with what it does offer. */
import { isMcpError, isObject, rpcAnswerOf } from "@fettle/mcp";
import { CliError } from "../cli-error.ts";
import { unknownName } from "../program/near-names.ts";
import { asCliError } from "./failure.ts";

type Offered = () => Promise<string[]>;

/**
 * @example
 * await namingNear("prompt", name, listedNames, connection.getPrompt(name, {}));
 */
export async function namingNear<T>(
  noun: string,
  name: string,
  offered: Offered,
  calling: Promise<T>,
): Promise<T> {
  try {
    return await calling;
  } catch (error) {
    const failure = isMcpError(error) && rpcAnswerOf(error) ? asCliError(error) : undefined;
    const names = failure instanceof CliError ? await others(name, offered) : undefined;
    if (!(failure instanceof CliError) || !names) throw error;
    const { code, message, details, exitCode } = failure;
    const { choices, hint = `It offers ${names.slice(0, 10).join(", ") || `no ${noun}s`}.` } = unknownName(
      name,
      names,
    );
    throw new CliError(code, message, {
      details,
      exitCode,
      choices,
      hint: `The server lists no ${noun} "${name}". ${hint}`,
      cause: error,
    });
  }
}

/** Many servers tell an unknown tool as a result, in their own words. */
export async function unknownInResult(
  result: unknown,
  name: string,
  offered: Offered,
): Promise<string | undefined> {
  if (!isObject(result) || result.isError !== true) return undefined;
  if (!/not found|unknown|no such|does not exist|not exist/i.test(JSON.stringify(result.content ?? ""))) {
    return undefined;
  }
  const names = await others(name, offered);
  if (!names) return undefined;
  const { hint = "" } = unknownName(name, names, `It offers ${names.slice(0, 10).join(", ")}.`);
  return `The server lists no tool "${name}". ${hint}`;
}

/** What is offered where the name is not among it; a list that cannot be had changes nothing about the failure. */
async function others(name: string, offered: Offered): Promise<string[] | undefined> {
  const names = await offered().catch(() => undefined);
  return names?.includes(name) ? undefined : names;
}

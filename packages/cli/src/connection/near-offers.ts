/** @module A call that failed because the server offers nothing of that name is answered with what it does offer. */
import { isMcpError, isObject, rpcAnswerOf } from "@fettle/mcp";
import { CliError, retold } from "../cli-error.ts";
import { inQuotes } from "../output/in-quotes.ts";
import { unknownName } from "../program/near-names.ts";
import { asCliError } from "./failure.ts";

const offersTold = 10;

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
    const { hint = "", ...near } = unknownName(name, names, offers(noun, names));
    throw retold(failure, { ...near, hint: `The server lists no ${noun} ${inQuotes(name)}. ${hint}` });
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
  const { hint = "" } = unknownName(name, names, offers("tool", names));
  return `The server lists no tool ${inQuotes(name)}. ${hint}`;
}

function offers(noun: string, names: readonly string[]): string {
  const some = names.slice(0, offersTold).join(", ");
  const more = names.length - offersTold;
  if (names.length === 0) return `It offers no ${noun}s.`;
  return more > 0 ? `It offers ${some} and ${more} more.` : `It offers ${some}.`;
}

/** What is offered where the name is not among it; a list that cannot be had changes nothing about the failure. */
async function others(name: string, offered: Offered): Promise<string[] | undefined> {
  const names = await offered().catch(() => undefined);
  return names?.includes(name) ? undefined : names;
}

/**
 * @module How a flag that was typed is typed again in a command that is advised. What may be a secret is never printed: the variable
 * that holds it is named, or one that the person is told to set.
 */
import { redactArgv, redactText, secretsInUrl } from "@fettle/contract/secrets";
import type { ShellWord } from "../output/shell-words.ts";

export interface SaidAgain {
  words: ShellWord[];
  /** Variables that nobody has set yet, each with the flag whose value belongs there. */
  toSet: Record<string, string>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Behind the sign begins what nobody else should see. */
const pairs: Readonly<Record<string, string>> = { header: ":", "api-header": ":", env: "=" };

/** The whole value is a secret. By the variable that is usual for it. */
const secrets: Readonly<Record<string, string>> = {
  "access-token": "ACCESS_TOKEN",
  "oauth-access-token": "ACCESS_TOKEN",
  "refresh-token": "REFRESH_TOKEN",
  "client-secret": "CLIENT_SECRET",
  "api-key": "FETTLE_API_KEY",
};

export function retypedFlag(flag: string, typed: unknown, env: Env): SaidAgain {
  const values = [typed ?? []].flat().map(String);
  // The variable is read where the flag is not typed.
  if (flag === "api-key" && env.FETTLE_API_KEY === values[0]) return { words: [], toSet: {} };
  const shown = redactArgv(values);
  const toSet: Record<string, string> = {};
  const words = values.flatMap((value, at): ShellWord[] => {
    const secret = secretIn(flag, value, { at, isMasked: shown[at] !== value });
    if (!secret) return asFlag(flag, value);
    const { start, rest, usual } = secret;
    const held = heldIn(env, rest, usual);
    if (!held.isSet) toSet[held.variable] = `--${flag}`;
    return asFlag(flag, { start, inQuotes: held.before, variable: held.variable });
  });
  return { words, toSet };
}

interface Secret {
  start: string;
  rest: string;
  /** What its variable would be called. */
  usual: string;
}

function secretIn(
  flag: string,
  value: string,
  { at, isMasked }: { at: number; isMasked: boolean },
): Secret | undefined {
  const sign = pairs[flag];
  if (sign !== undefined && value.includes(sign)) {
    const end = value.indexOf(sign) + 1;
    const name = value.slice(0, end - 1);
    const isVariable = /^[a-z_]\w*$/i.test(name) && flag === "env";
    return {
      start: value.slice(0, end),
      rest: value.slice(end).trim(),
      usual: isVariable ? name : asName(name),
    };
  }
  const usual = secrets[flag];
  if (usual !== undefined) return { start: "", rest: value, usual };
  if (!isMasked && redactText(value) === value && secretsInUrl(value).length === 0) return undefined;
  const name = flag === "args" ? `ARGUMENT_${at + 1}` : flag === "url" ? "SERVER_URL" : asName(flag);
  return { start: "", rest: value, usual: name };
}

/** Shorter ones are the same by chance. */
const tellingLength = 8;

/** The variable that holds it, the part of it that does not; else one that is free. */
function heldIn(env: Env, value: string, usual: string) {
  const [before = ""] = value.match(/^(?:Bearer|Basic) +/i) ?? [];
  for (const [words, held] of [
    ["", value],
    [before, value.slice(before.length)],
  ] as const) {
    const names = Object.keys(env).filter((name) => env[name] === held);
    const variable = names.includes(usual) ? usual : held.length >= tellingLength ? names[0] : undefined;
    if (variable !== undefined) return { before: words, variable, isSet: true };
  }
  const isFree = (name: string) => env[name] === undefined;
  const variable = [usual, `${usual}_2`].find(isFree) ?? `${usual}_3`;
  return { before: "", variable, isSet: false };
}

function asName(text: string): string {
  const name = text
    .trim()
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_");
  return /^[A-Z_]/.test(name) ? name : `_${name}`;
}

/** An argument of a server's may begin with dashes of its own. */
function asFlag(flag: string, value: ShellWord): ShellWord[] {
  const isText = typeof value === "string";
  if (flag !== "args" && !(isText && value.startsWith("-"))) return [`--${flag}`, value];
  return [isText ? `--${flag}=${value}` : { ...value, start: `--${flag}=${value.start}` }];
}

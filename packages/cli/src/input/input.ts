/** @module What a command is given besides flags: JSON typed in place, in a file, or on stdin, which only one input may read. */
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { parseExactNumbers } from "@fettle/contract/formats";
import { usageError } from "../cli-error.ts";
import { isRecord } from "../files/read-json.ts";
import { whyUnreadable } from "../files/unreadable.ts";
import type { World } from "../world.ts";

/** More than any document we take; a mistaken path must not fill the memory. */
const maxBytes = 16 * 1024 * 1024;

export interface Input {
  /** The value of a flag documented as "JSON, @path, or -". `name` is the flag, for messages. */
  json(name: string, typed: string): Promise<unknown>;
  /** The same where only an object will do. */
  jsonObject(name: string, typed: string): Promise<Record<string, unknown>>;
  /** The text of a flag documented as a path, or `-` for stdin. */
  file(name: string, path: string): Promise<string>;
}

export function createInput(world: Pick<World, "stdin" | "cwd">): Input {
  let stdinReader: string | undefined;
  const readStdin = async (name: string) => {
    if (stdinReader) throw usageError(`${name} cannot read stdin: ${stdinReader} already does.`);
    stdinReader = name;
    return readAll(name, world.stdin);
  };
  const readFile = (name: string, path: string) => readPath(name, resolve(world.cwd, path));
  const json = async (name: string, typed: string) => {
    const content =
      typed === "-"
        ? await readStdin(name)
        : typed.startsWith("@")
          ? await readFile(name, typed.slice(1))
          : typed;
    return parseJson(name, content);
  };
  return {
    json,
    async jsonObject(name, typed) {
      const value = await json(name, typed);
      if (!isRecord(value)) throw usageError(`${name} must be a JSON object.`);
      return value;
    },
    file: (name, path) => (path === "-" ? readStdin(name) : readFile(name, path)),
  };
}

function parseJson(name: string, content: string): unknown {
  if (content.trim() === "") throw usageError(`${name} is empty.`);
  try {
    return parseExactNumbers(content);
  } catch (cause) {
    throw usageError(`${name} is not JSON: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

async function readPath(name: string, path: string): Promise<string> {
  try {
    await using file = await open(path);
    return await readAll(name, file.createReadStream({ autoClose: false }));
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && "syscall" in cause) {
      throw usageError(`${name} cannot be read: ${whyUnreadable(cause)}.`, { cause });
    }
    throw cause;
  }
}

async function readAll(name: string, stream: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBytes) throw usageError(`${name} is larger than ${maxBytes / 1024 / 1024} MiB.`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** @module The fields of a saved server that `add` and `update` were given: `--body` first, flags over it. */
import { usageError } from "../cli-error.ts";
import { readHeader } from "../connection/target.ts";
import type { Call } from "../program/command.ts";
import type { Fields } from "./operation-command.ts";

interface ServerFlags {
  name: string | undefined;
  url: string | undefined;
  header: string[];
  body: string | undefined;
}

type ServerFieldsCall<Flags = object> = Pick<Call, "input"> & { flags: ServerFlags & Flags };

export async function addedServer(
  call: ServerFieldsCall<{ disabled: boolean }>,
  typed: Fields,
): Promise<Fields> {
  const fields: Fields = {
    ...(await serverFields(call, typed)),
    ...(call.flags.disabled && { enabled: false }),
  };
  if (fields.name === undefined) throw usageError("--name is required, here or in --body.");
  if (fields.url === undefined && fields.command === undefined) {
    throw usageError("--url is required, here or in --body.", {
      hint: "A server on this machine is reached through a tunnel: `fettle cloud tunnel --help`. A command that an image of the project has is saved with --body.",
    });
  }
  return { transportType: fields.url === undefined ? "stdio" : "http", ...fields };
}

export async function changedServer(
  call: ServerFieldsCall<{ enable: boolean; disable: boolean; clearHeaders: boolean }>,
  typed: Fields,
): Promise<Fields> {
  const { enable, disable, clearHeaders, header } = call.flags;
  if (enable && disable) throw usageError("Use --enable or --disable, not both.");
  if (clearHeaders && header.length > 0) throw usageError("Use --header or --clear-headers, not both.");
  return {
    ...(await serverFields(call, typed)),
    ...((enable || disable) && { enabled: enable }),
    ...(clearHeaders && { headers: {} }),
  };
}

async function serverFields({ flags, input }: ServerFieldsCall, typed: Fields): Promise<Fields> {
  const { name, url, header, body } = flags;
  const document = body === undefined ? {} : await input.jsonObject("--body", body);
  return {
    ...document,
    ...typed,
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(header.length > 0 && { headers: Object.fromEntries(header.map(readHeader)) }),
  };
}

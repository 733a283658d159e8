/** @module The fields of a saved server that `add` and `update` were given: `--body` first, flags over it. */
import { readHeader } from "../connection/target.ts";
import type { Call } from "../registry/command.ts";

type ServerFieldsCall = Pick<Call, "input"> & {
  flags: {
    name: string | undefined;
    url: string | undefined;
    header: string[];
    body: string | undefined;
  };
};

export async function serverFields({ flags, input }: ServerFieldsCall): Promise<Record<string, unknown>> {
  const { name, url, header, body } = flags;
  const document = body === undefined ? {} : await input.jsonObject("--body", body);
  return {
    ...document,
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(header.length > 0 && { headers: Object.fromEntries(header.map(readHeader)) }),
  };
}

/** @module Which client a command means: `--client`, or `--host` as it was once spelled. */
import { usageError } from "../cli-error.ts";

export function clientSelector({
  client,
  host,
}: {
  client: string | undefined;
  host: string | undefined;
}): string {
  if (client !== undefined && host !== undefined) {
    throw usageError("--host is the old spelling of --client; use one of them.");
  }
  const selector = client ?? host;
  if (selector === undefined) throw usageError("--client is required.");
  return selector;
}

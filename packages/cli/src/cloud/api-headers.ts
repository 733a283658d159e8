/** @module Extra request headers for a deployment behind a proxy: from `FETTLE_API_HEADERS`, then `--api-header`, which wins. */
import { usageError } from "../cli-error.ts";

const header = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/;

export function parseApiHeaders(flags: readonly string[], env: string | undefined): Record<string, string> {
  const fromEnv = (env ?? "").split("\n").filter((line) => line.trim() !== "");
  return {
    ...parseAll("FETTLE_API_HEADERS", fromEnv),
    ...parseAll("--api-header", flags),
  };
}

function parseAll(source: string, lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = header.exec(line.trim()) ?? [];
      if (name === undefined || !value || /[^\t\x20-\x7e]/.test(value)) {
        throw usageError(`${source} takes headers such as "X-Proxy-Token: abc".`);
      }
      if (name.toLowerCase() === "authorization") {
        throw usageError(`${source} cannot set Authorization: that is the credential's own header.`);
      }
      return [name.toLowerCase(), value.trim()];
    }),
  );
}

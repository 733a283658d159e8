/** @module Reads the document of a widget from a server that is connected. */
import { type Connection, McpError } from "@fettle/mcp";

/** With what its entry in the server's list says of it. */
export async function readDocument(connection: Connection, uri: string, signal: AbortSignal) {
  const { contents } = requireMember(await connection.readResource(uri, { signal }), "contents");
  // A server may offer documents without listing them.
  const listed = await connection.listResources({ firstPageOnly: true, signal }).catch(() => undefined);
  const isIt = (item: Record<string, unknown>) => item.uri === uri;
  return {
    content: contents.find(isIt) ?? contents[0] ?? {},
    listedMeta: listed?.items.find(isIt)?._meta,
  };
}

/** What a server must answer with, whatever else it says. */
export function requireMember<Name extends string>(result: Record<string, unknown>, name: Name) {
  const member = result[name];
  if (Array.isArray(member))
    return { ...result, [name]: member } as Record<string, unknown> & Record<Name, never[]>;
  throw new McpError("INVALID_RESULT", `The answer has no "${name}" array.`);
}

/** @module What the commands of `mcp` take. */
import { flags } from "../../program/flag.ts";

export const mcpFlags = flags({
  "allow-commands": { kind: "boolean", help: "Let agents start servers by command, not only by URL" },
});

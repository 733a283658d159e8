/**
 * The hostile corpus, all of it.
 * @module
 */
import { BAD_DEFINITIONS } from "./bad-definitions.ts";
import { HALF_CHARACTERS } from "./half-characters.ts";
import type { HostileServer, HostileTransport } from "./hostile-server.ts";
import { TOO_LATE } from "./too-late.ts";
import { TOO_MUCH } from "./too-much.ts";
import { WIRE_FAULTS } from "./wire-faults.ts";
import { WRONG_ANSWERS } from "./wrong-answers.ts";
import { WRONG_BODIES } from "./wrong-bodies.ts";
import { WRONG_CONTENTS } from "./wrong-contents.ts";
import { WRONG_HTTP } from "./wrong-http.ts";
import { WRONG_NOTICES } from "./wrong-notices.ts";

export const HOSTILE_SERVERS: readonly HostileServer[] = [
  ...TOO_MUCH,
  ...TOO_LATE,
  ...WRONG_ANSWERS,
  ...WRONG_HTTP,
  ...WIRE_FAULTS,
  ...WRONG_CONTENTS,
  ...WRONG_NOTICES,
  ...WRONG_BODIES,
  ...BAD_DEFINITIONS,
  ...HALF_CHARACTERS,
];

/** Finds a server by name, and refuses a transport it does not speak. */
export function findHostile(name: string, transport: HostileTransport): HostileServer {
  const found = HOSTILE_SERVERS.find((server) => server.name === name);
  if (!found) {
    const names = HOSTILE_SERVERS.map((server) => server.name).join(", ");
    throw new Error(`No hostile server is called "${name}". There are: ${names}`);
  }
  if (!found.transports.includes(transport)) {
    throw new Error(`"${name}" speaks only ${found.transports.join(" and ")}.`);
  }
  return found;
}

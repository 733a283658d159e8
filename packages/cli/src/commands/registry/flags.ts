/** @module What the commands of `registry` take. */
import type { ArgumentTable } from "../../program/command.ts";
import { flags } from "../../program/flag.ts";
import { namedProjectFlags } from "../../program/shared-flags.ts";

export const installArguments = {
  id: { help: "Of a directory's entry, or with --card of a card", required: true },
} as const satisfies ArgumentTable;

export const installFlags = flags({
  card: { kind: "boolean", help: "The id is that of a card (registry servers)" },
  "endpoint-url": {
    kind: "text",
    value: "url",
    help: "Its address, where the entry leaves it open (endpointKind options, tenant)",
  },
  "expected-content-hash": {
    kind: "text",
    value: "hash",
    help: "Refuse when the entry says something else than this (latestContentHash)",
  },
  "expected-updated-at": {
    kind: "integer",
    value: "ms",
    min: 0,
    help: "Refuse when the card was changed since (updatedAt)",
  },
  name: { kind: "text", value: "name", help: "What the project calls the server" },
  ...namedProjectFlags,
});

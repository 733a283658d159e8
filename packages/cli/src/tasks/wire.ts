/** @module Which way a server speaks of tasks, and whether that is the way that was asked for. */
import { type Connection, type TaskWire, taskWireOf } from "@fettle/mcp";
import { CliError } from "../cli-error.ts";

export type KnownWire = Exclude<TaskWire, "none">;

const names: Record<KnownWire, string> = {
  legacy: "the tasks of 2025-11-25",
  extension: "the tasks extension of 2026-07-28",
};

export function requireWire(connection: Connection, wanted: KnownWire | undefined): KnownWire {
  const wire = taskWireOf(connection);
  if (wire === "none") {
    throw new CliError("FEATURE_NOT_SUPPORTED", "This server offers no tasks.", {
      hint: "`fettle server capabilities` shows what it offers.",
      details: {
        protocolVersion: connection.protocolVersion,
        capabilities: Object.keys(connection.capabilities),
      },
    });
  }
  if (wanted !== undefined && wanted !== wire) {
    throw new CliError("FEATURE_NOT_SUPPORTED", `This server speaks ${names[wire]}, not ${names[wanted]}.`, {
      hint: "Pin the version with --protocol-version; many servers speak both.",
      details: { wire },
    });
  }
  return wire;
}

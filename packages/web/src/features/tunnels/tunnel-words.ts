/** @module A tunnel in words. */
import type { Tunnel } from "@fettle/contract/servers";
import { commandLine } from "../../lib/command-line.ts";
import type { Tone } from "../../ui/chip.tsx";

export const stateWords: Record<Tunnel["state"], { tone: Tone; word: string; about: string }> = {
  connected: { tone: "good", word: "Live", about: "Its machine is connected; calls go through." },
  offline: { tone: "warn", word: "Offline", about: "No machine is connected; calls fail at once." },
  closed: { tone: "neutral", word: "Closed", about: "The address is dead until the tunnel is opened again." },
};

/** What to run beside the server. Opening again keeps the address and changes its secret. */
export function openCommand(name: string, transport: "http" | "stdio" = "http"): string {
  const target = transport === "http" ? "http://localhost:3000/mcp" : "-- <command> <arguments>";
  return `${commandLine(["fettle", "cloud", "tunnel", "--server", name])} ${target}`;
}

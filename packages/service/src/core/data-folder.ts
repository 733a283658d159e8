/** @module The folder of everything the service keeps on this machine. */
import { mkdirSync } from "node:fs";

export function makeDataFolder(folder: string): void {
  // As root the database runs as another user, who must be able to pass through; every file inside is closed anyway.
  mkdirSync(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
}

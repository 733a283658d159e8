/** @module Opens the person's browser, without a shell: an address is an argument, never part of a command line. */
import { spawn } from "node:child_process";
import type { Some } from "@fettle/contract/formats";

export interface BrowserQuestion {
  env: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
}

/** False where there is no screen to open one on, or the person said no. */
export function canOpenBrowser({ env, platform = process.platform }: BrowserQuestion): boolean {
  if (env.FETTLE_CLI_DISABLE_BROWSER_OPEN === "1" || env.CI) return false;
  return platform !== "linux" || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME);
}

/** Starts it and looks no further: whether a page opened shows when the answer comes back. */
export function openBrowser(url: URL, platform = process.platform): void {
  const [program, ...before]: Readonly<Some<string>> = openers[platform] ?? ["xdg-open"];
  const child = spawn(program, [...before, url.href], { stdio: "ignore", detached: true });
  // Not installed; the address was printed as well.
  child.on("error", () => {});
  child.unref();
}

const openers: Partial<Record<NodeJS.Platform, Readonly<Some<string>>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

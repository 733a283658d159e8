/** @module A device in two words, from the user agent it came with. */
import type { Device } from "@fettle/contract/people";

const browsers: readonly [RegExp, string][] = [
  [/\bEdg\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\//, "Firefox"],
  [/\bHeadlessChrome\//, "Chrome (headless)"],
  [/\b(Chrome|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Mac OS X/, "macOS"],
  [/Windows/, "Windows"],
  [/Linux|X11/, "Linux"],
];

const find = (list: readonly [RegExp, string][], text: string) =>
  list.find(([shape]) => shape.test(text))?.[1];

/**
 * @example
 * deviceName({ kind: "browser", name: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) … Firefox/140.0" }) // "Firefox on macOS"
 */
export function deviceName({ kind, name }: Pick<Device, "kind" | "name">): string {
  if (!name) return kind === "cli" ? "Command line" : "Browser";
  const browser = find(browsers, name);
  if (!browser) return name;
  const system = find(systems, name);
  return system ? `${browser} on ${system}` : browser;
}

/** @module Which browser of this machine draws widgets without a window. None is ever downloaded. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { CliError } from "../cli-error.ts";
import type { World } from "../world.ts";

/** On the path, the lightest first. */
const names = [
  "chromium-headless-shell",
  "chrome-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "microsoft-edge",
];

const places: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ],
  linux: ["/usr/bin", "/usr/local/bin", "/snap/bin"].flatMap((folder) =>
    names.map((name) => join(folder, name)),
  ),
};

const howTo: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "Install Google Chrome or Chromium",
  linux: "Install Chromium, such as with `apt install chromium`",
};

/** One that was named is the one, or an error. */
export function findChromium(
  { env }: Pick<World, "env">,
  given?: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const named = given ?? env.FETTLE_CHROMIUM ?? env.CHROME_PATH ?? env.CHROMIUM_PATH;
  if (named) {
    if (isProgram(named)) return named;
    throw noBrowser(`There is no program at ${named}.`, platform);
  }
  const onPath = (env.PATH ?? "").split(delimiter).filter(Boolean);
  const candidates = names.flatMap((name) => onPath.map((folder) => join(folder, name)));
  return [...candidates, ...(places[platform] ?? [])].find(isProgram);
}

export const noBrowser = (message: string, platform: NodeJS.Platform = process.platform) =>
  new CliError("BROWSER_UNAVAILABLE", message, {
    hint: `${howTo[platform] ?? "Install Google Chrome or Chromium"}, or name the program with --browser or CHROME_PATH.`,
  });

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

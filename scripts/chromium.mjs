// Finds the Chromium that browser tests drive; on a fresh Debian machine, where we may, installs it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const places = [
  process.env.CHROMIUM_PATH,
  // The same pages for a third less work: it draws no window around them.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

const find = () => places.find((path) => path && existsSync(path));

/** The browser's path, or undefined when there is none and none may be installed. */
export function ensureChromium() {
  const found = find();
  if (found || process.platform !== "linux" || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    return found;
  }
  console.error("Installing Chromium for the browser tests (once) ...");
  const apt = (...args) =>
    spawnSync("apt-get", ["-qq", ...args], {
      stdio: ["ignore", "ignore", 2],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      timeout: 600_000,
    });
  apt("update");
  for (const name of ["chromium-headless-shell", "chromium"]) {
    if (!find()) apt("install", "-y", "--no-install-recommends", name);
  }
  return find();
}

import { expect, test } from "vitest";
import { asTheBrowser, hostContext } from "./emulation.ts";

const browser = {
  theme: "light",
  locale: "en-GB",
  timeZone: "Europe/Paris",
  canHover: true,
  canTouch: false,
} as const;
const size = { width: 600, height: 400 };

test.each([
  [asTheBrowser, "inline", { theme: "light", locale: "en-GB", timeZone: "Europe/Paris", platform: "web" }],
  [asTheBrowser, "inline", { containerDimensions: { width: 600, maxHeight: 5_000 } }],
  [asTheBrowser, "fullscreen", { containerDimensions: { width: 600, height: 400 } }],
  [
    { ...asTheBrowser, theme: "dark", locale: "fa-IR", timeZone: "Asia/Tehran" },
    "inline",
    { theme: "dark", locale: "fa-IR", timeZone: "Asia/Tehran" },
  ],
  [
    { ...asTheBrowser, device: "phone" },
    "inline",
    {
      platform: "mobile",
      deviceCapabilities: { hover: false, touch: true },
      safeAreaInsets: { top: 59, right: 0, bottom: 34, left: 0 },
    },
  ],
  [{ ...asTheBrowser, device: "desktop" }, "pip", { deviceCapabilities: { hover: true, touch: false } }],
] as const)("with %j in %s a widget is told %j", (emulation, mode, told) => {
  expect(hostContext(emulation, browser, mode, size)).toMatchObject(told);
});

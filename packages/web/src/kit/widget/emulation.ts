/** @module What a widget is told of the place it is shown in: a device, a theme, a language and a time zone of one's choice. Told as hosts tell it; the browser's own answers stay. Pure. */
import type { JsonObject } from "../../lib/json-exact.ts";
import type { DisplayMode } from "./widget-state.ts";

export const themes = ["app", "light", "dark"] as const;

interface Device {
  label: string;
  /** Undefined: as wide as there is room. */
  width?: number;
  isTouched: boolean;
  /** Of a screen that is rounded and has a bar to swipe. */
  insets?: { top: number; bottom: number };
}

export const devices = {
  fill: { label: "Fill", isTouched: false },
  desktop: { label: "Desktop", width: 1_280, isTouched: false },
  tablet: { label: "Tablet", width: 820, isTouched: true, insets: { top: 24, bottom: 16 } },
  phone: { label: "Phone", width: 430, isTouched: true, insets: { top: 59, bottom: 34 } },
} satisfies Record<string, Device>;
export type DeviceName = keyof typeof devices;

export interface Emulation {
  theme: (typeof themes)[number];
  device: DeviceName;
  /** Empty: the browser's own. */
  locale: string;
  timeZone: string;
  /** Which of a tool's documents is looked at first; the standard's unless said. */
  dialect?: "mcp" | "openai";
  /** Where it goes once it is there, if it can. */
  mode?: DisplayMode;
  /** It stands alone, in a place of this size: a picture is taken of it. */
  viewport?: { width: number; height: number };
}

export const asTheBrowser: Emulation = { theme: "app", device: "fill", locale: "", timeZone: "" };

export const locales =
  "ar-EG de-DE en-GB en-US es-ES es-MX fa-IR fr-FR he-IL hi-IN id-ID it-IT ja-JP ko-KR nl-NL pl-PL pt-BR ru-RU tr-TR zh-CN".split(
    " ",
  );

export const deviceOf = (name: DeviceName): Device => devices[name];

/** What the browser says where nothing else was chosen. */
export interface Surroundings {
  theme: "light" | "dark";
  locale: string;
  timeZone: string;
  canHover: boolean;
  canTouch: boolean;
}

/**
 * @example
 * hostContext({ ...asTheBrowser, locale: "ja-JP" }, browser, "inline", { width: 600, height: 400 }).locale // "ja-JP"
 */
export function hostContext(
  { theme, device: name, locale, timeZone }: Emulation,
  browser: Surroundings,
  mode: DisplayMode,
  size: { width: number; height: number },
): JsonObject {
  const device = deviceOf(name);
  const { top, bottom } = device.insets ?? { top: 0, bottom: 0 };
  const isAsTheBrowser = name === "fill";
  return {
    theme: theme === "app" ? browser.theme : theme,
    locale: locale || browser.locale,
    timeZone: timeZone || browser.timeZone,
    platform: name === "phone" || name === "tablet" ? "mobile" : "web",
    userAgent: "Fettle",
    // In the flow of a page a widget is as high as it likes; elsewhere it has what there is.
    containerDimensions:
      mode === "inline"
        ? { width: size.width, maxHeight: 5_000 }
        : { width: size.width, height: size.height },
    deviceCapabilities: {
      hover: isAsTheBrowser ? browser.canHover : !device.isTouched,
      touch: isAsTheBrowser ? browser.canTouch : device.isTouched,
    },
    safeAreaInsets: { top, right: 0, bottom, left: 0 },
  };
}

/** @module The place that a widget is told it is shown in, as flags say it. */
import type { InspectorPayloads } from "@fettle/contract/inspector";
import { usageError } from "../cli-error.ts";
import { type FlagValues, flags } from "../program/flag.ts";

/** `lead` stands before each text of help, where the flags only go with another. */
export const placeFlags = <const Lead extends string>(lead: Lead) =>
  flags({
    device: {
      kind: "choice",
      choices: ["mobile", "tablet", "desktop"],
      value: "device",
      help: `${lead}the device its widget is shown on`,
    },
    theme: { kind: "choice", choices: ["light", "dark"], value: "theme", help: `${lead}its widget's theme` },
    locale: { kind: "text", value: "tag", help: `${lead}the language its widget is told, such as ja-JP` },
    "time-zone": { kind: "text", value: "zone", help: `${lead}the time zone, such as Asia/Tokyo` },
  });

type Place = Pick<FlagValues<ReturnType<typeof placeFlags>>, "device" | "theme" | "locale" | "timeZone">;

export function refuseUnknownPlace({ locale, timeZone }: Place): void {
  if (locale !== undefined && !isKnown(() => Intl.getCanonicalLocales(locale))) {
    throw usageError(`--locale takes a language tag such as ja-JP; "${locale}" is none.`);
  }
  if (timeZone !== undefined && !isKnown(() => Intl.DateTimeFormat("en", { timeZone }))) {
    throw usageError(`--time-zone takes the name of a zone such as Asia/Tokyo; "${timeZone}" is none.`);
  }
}

export function contextOf({ device, theme, locale, timeZone }: Place): InspectorPayloads["setAppContext"] {
  return {
    ...(device !== undefined && { deviceType: device }),
    ...(theme !== undefined && { theme }),
    ...(locale !== undefined && { locale }),
    ...(timeZone !== undefined && { timeZone }),
  };
}

function isKnown(look: () => unknown): boolean {
  try {
    look();
    return true;
  } catch {
    return false;
  }
}

export const browserFlags = flags({
  browser: {
    kind: "text",
    value: "path",
    defaultNote: "CHROME_PATH, or the Chromium or Chrome that is found",
    help: "The program that draws widgets",
  },
  "no-sandbox": { kind: "boolean", help: "Draw without the browser's own sandbox (always so as root)" },
});

export const unsandboxed = "The browser runs without its own sandbox: it has none as root.";

/** @module How the three telemetry commands say what they found or set. */
import type { Outcome } from "../output/printer.ts";
import { facts } from "../output/table.ts";
import { style } from "../output/text.ts";
import type { TelemetryReport } from "./state.ts";

const reasons = {
  "--no-telemetry": "--no-telemetry was given",
  DO_NOT_TRACK: "DO_NOT_TRACK is set",
  FETTLE_TELEMETRY_DISABLED: "FETTLE_TELEMETRY_DISABLED is set",
  state: "you disabled it",
  default: "off unless you enable it",
} as const;

export function telemetryOutcome(report: TelemetryReport): Outcome {
  return {
    value: { success: true, telemetry: report },
    human: () =>
      facts([
        ["Telemetry:", report.enabled ? style.green("enabled") : "disabled"],
        ["Install ID:", report.installId ?? "none"],
        ["State file:", report.stateFile],
        ["Debug mode:", report.debugMode ? "on" : "off"],
        ["Disable reason:", report.disableReason ? reasons[report.disableReason] : undefined],
        ["Sent to:", report.endpoint ?? "nowhere: this build has no endpoint"],
      ]),
  };
}

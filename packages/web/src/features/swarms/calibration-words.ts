/** @module Calibrations in words. Pure. */
import type {
  Calibration,
  CalibrationMeasure,
  CalibrationSource,
  RunCalibration,
} from "@fettle/contract/visitors";

export const measureLabels: Record<CalibrationMeasure, { label: string; hint: string }> = {
  turns: { label: "Turns", hint: "How long visitors go on" },
  toolMix: { label: "Tools called", hint: "Which tools they bring the assistant to call" },
  errorRate: { label: "Failed calls", hint: "The share of calls that fail" },
  goalCompletion: { label: "Goal reached", hint: "The share that gets what it came for" },
  abandonment: { label: "Given up", hint: "The share that leaves without it" },
};

export const sourceName = (source: CalibrationSource): string =>
  source.kind === "shipped" ? "Bookshop set, shipped" : source.name;

export const driverName = ({ personaDriver, model }: Pick<Calibration, "personaDriver" | "model">): string =>
  personaDriver === "rules" ? "Rules" : model;

/** @example distanceText(0.1275) // "0.13" */
export const distanceText = (value: number | null): string => (value === null ? "unknown" : value.toFixed(2));

export const spanText = ({ low, high }: Pick<RunCalibration, "low" | "high">): string =>
  `${distanceText(low)} to ${distanceText(high)}`;

/** Turns are counted, the others are shares. */
export const valueText = (id: CalibrationMeasure, value: number | null): string =>
  value === null ? "" : id === "turns" ? value.toFixed(1) : `${Math.round(value * 100)}\u00a0%`;

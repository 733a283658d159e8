/** @module What sandbox images are held to. */
import { KiB } from "./units.ts";

export const sandboxLimits = {
  nameLength: 200,
  blueprintBytes: 64 * KiB,
  /** Of each list in a blueprint. */
  entries: 50,
  entryNameLength: 120,
  runLength: 8_000,
  contentsLength: 20_000,
  imagesPerProject: 200,
} as const;

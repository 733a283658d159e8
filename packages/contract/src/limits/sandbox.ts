/** @module What sandbox images are held to. */
import { KiB, MiB } from "./units.ts";

export const sandboxLimits = {
  nameLength: 200,
  blueprintBytes: 64 * KiB,
  /** Of each list in a blueprint. */
  entries: 50,
  entryNameLength: 120,
  runLength: 8_000,
  contentsLength: 20_000,
  imagesPerProject: 200,
  /** What an operator may change. */
  perContainer: {
    memoryMiB: 1_024,
    processors: 1,
    processes: 256,
    diskMiB: 4_096,
    buildMinutes: 20,
    idleMinutes: 15,
  },
  /** Of a base image. */
  layers: 127,
  manifestBytes: 4 * MiB,
  /** Of one answer of the container engine. */
  engineAnswerBytes: 16 * MiB,
  /** Of what it says went wrong. */
  errorLength: 2_000,
  /** For an engine to say that it is there. */
  pingMs: 10_000,
  /** For a container to end by itself before it is killed. */
  stopSeconds: 5,
} as const;

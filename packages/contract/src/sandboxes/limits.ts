/** @module What sandbox images are held to. */
import { hour, KiB, MiB, minute, second } from "../core/limits/units.ts";

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
    buildSeconds: 1_200,
    idleMinutes: 15,
  },
  /** The longest build that an operator may allow. */
  buildMs: 4 * hour,
  /** Of a build's log, the end is kept. */
  logLength: 16_000,
  logLineLength: 2_000,
  /** How often a build's log is written down. */
  logEveryMs: 1 * second,
  /** How often the disk of a container that works is looked at. */
  watchMs: 0.5 * second,
  /** The same for a server, which runs for long and writes little. */
  serverWatchMs: 5 * second,
  /** Of one project, that run at the same time. */
  serversPerProject: 10,
  /** A process of the service that has servers in containers says so this often; silent for three times as long, it is gone. */
  holderMs: 30 * second,
  /** Of one image; older ones are forgotten. */
  buildsPerImage: 50,
  /** Waiting or under way in one project. */
  openBuildsPerProject: 5,
  /** What a model may do on a computer, call by call. */
  computerTools: {
    pathLength: 1_000,
    commandLength: 20_000,
    fileBytes: 256 * KiB,
    requestBytes: 2 * MiB,
    /** Of what a command says, the end. */
    outputLength: 30_000,
    /** Of the blueprint's texts. */
    toldLength: 20_000,
    /** For the answer, once a command was ended. */
    graceMs: 15 * second,
  },
  /** A computer of one conversation is gone by then. */
  conversationMs: 1 * hour,
  /** A container that nobody knows may belong to something that has only just begun. */
  strayMs: 10 * minute,
  /** Of a base image. */
  layers: 127,
  manifestBytes: 4 * MiB,
  /** Of one answer of the container engine. */
  engineAnswerBytes: 16 * MiB,
  /** Of what it says went wrong. */
  errorLength: 2_000,
  /** For an engine to say that it is there. */
  pingMs: 30 * second,
  /** For a container to end by itself before it is killed. */
  stopSeconds: 5,
} as const;

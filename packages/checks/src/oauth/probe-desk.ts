/** @module Where the probes are made: a guarded client for each, its requests kept as evidence, and whatever secret it learns kept out of view. */
import { addressPart } from "@fettle/contract/formats";
import {
  createHttpClient,
  type HttpClient,
  type HttpEntry,
  localPolicy,
  type NetworkPolicy,
  Recorder,
} from "@fettle/mcp";

export interface ProbeDesk {
  /** Runs one probe with a client of its own, so that no cookie and no socket is shared. */
  probe<T>(name: string, work: (http: HttpClient) => Promise<T>): Promise<T>;
  /** The requests of a probe, so far. */
  exchangesOf(name: string): HttpEntry[];
  conceal(value: unknown): void;
  readonly secrets: readonly string[];
}

export function openProbeDesk(policy: NetworkPolicy = localPolicy): ProbeDesk {
  const recorders = new Map<string, Recorder>();
  const secrets: string[] = [];
  return {
    secrets,
    async probe(name, work) {
      const recorder = recorders.get(name) ?? new Recorder({ label: name });
      recorders.set(name, recorder);
      const http = createHttpClient({ policy, observer: recorder });
      try {
        return await work(http);
      } finally {
        http.close();
      }
    },
    exchangesOf: (name) =>
      recorders
        .get(name)
        ?.read()
        .entries.filter((entry) => entry.kind === "http") ?? [],
    conceal(value) {
      if (typeof value === "string" && value !== "") secrets.push(value, addressPart(value));
    },
  };
}

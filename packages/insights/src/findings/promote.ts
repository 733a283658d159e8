/** @module Whether a change to a server may be asked for: only where the place is pinned, the cause is the server's and shown, and nothing speaks against it. Pure. */
import type { Meaning } from "../detectors/detector.ts";
import type { Fired } from "../signals/detected-signals.ts";
import type { Target } from "./target.ts";

/** How calls with the same arguments ended. */
export type Outcomes = (
  place: Fired["shown"]["place"],
  digest: string,
) => { ok: number; failed: number } | undefined;

export interface Promotion {
  meaning: Meaning;
  target: Target | undefined;
  isProven: boolean;
  outcomes: Outcomes;
}

/** A field that was named and is not in the schema does not resolve, nor does a tool that is not in the list. */
export function isPromoted(fired: Fired, { meaning, target, isProven, outcomes }: Promotion): boolean {
  const { place } = fired.shown;
  const isResolved =
    target !== undefined && (!place.fieldPath || !ofSchema(meaning) || target.fieldPath !== undefined);
  return (
    isResolved &&
    meaning.attribution.startsWith("server_") &&
    isProven &&
    fired.examples.length > 0 &&
    !isRefuted(fired, outcomes)
  );
}

const ofSchema = ({ surface }: Meaning) => surface === "input_schema" || surface === "output_schema";

/** The same arguments succeed at least as often. */
function isRefuted({ detector, shown, digests }: Fired, outcomes: Outcomes): boolean {
  if (!detector.isRefutedBySuccess) return false;
  const ended = digests.flatMap((digest) => outcomes(shown.place, digest) ?? []);
  const [ok, failed] = [sum(ended.map((one) => one.ok)), sum(ended.map((one) => one.failed))];
  return ok > 0 && ok >= failed;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

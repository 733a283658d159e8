/** @module Whether a verdict has turned. What could not be told is no verdict, and turns none. */

export const verdicts = ["passed", "failed"] as const;

interface Turn {
  suite: string;
  from: string;
  to: string;
}

/** Nothing before the first verdict, and nothing when it is the same again. */
export function turnOf(suite: string, from: string | undefined, to: string): Turn[] {
  const isVerdict = verdicts.some((verdict) => verdict === to);
  return isVerdict && from !== undefined && from !== to ? [{ suite, from, to }] : [];
}

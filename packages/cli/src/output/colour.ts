/** @module Whether a stream gets colour: on a terminal, unless the person said no. */

export interface ColourQuestion {
  isTerminal: boolean;
  env: NodeJS.ProcessEnv;
}

/** `NO_COLOR` (any value) wins, then `FORCE_COLOR` (`0` is no), then whether a terminal that can show it is there. */
export function wantsColour({ isTerminal, env }: ColourQuestion): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "") return env.FORCE_COLOR !== "0";
  return isTerminal && env.TERM !== "dumb";
}

/** @module Whoever keeps conversations that insights are found in. A family adds its own here. */
import { evalRunSource } from "../evals/runs/insights/source.ts";
import type { Source } from "../insights/source.ts";
import { waveSource } from "../visitors/journey-runs/insights/source.ts";
import { windowSource } from "../visitors/user-testing/insights/source.ts";

export const insightSources: readonly Source[] = [evalRunSource, waveSource, windowSource];

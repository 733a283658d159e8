/** @module The rows of directory readiness. How far a run is depends on the moment, so reading one is left to a test of its own. */
import type { Row } from "./rows.ts";

export const readinessRows: readonly Row[] = [
  {
    command: "readiness check claude",
    works: ["$SHOP", "$GUARDED"],
    fails: ["$SHOP --submission none.yaml", "$SHOP --submission page.html"],
  },
  {
    command: "readiness check openai",
    works: ["$SHOP --submission-mode mcp-only"],
    fails: ["$SHOP --submission-mode skills-only", "$SHOP --submission-mode mcp"],
  },
  {
    command: "readiness start claude",
    works: ["--server $SERVER"],
    fails: ["--server $SERVER --ai-observations"],
  },
  {
    command: "readiness start openai",
    works: ["--server $SERVER --submission-mode mcp-only"],
    fails: ["--server $SERVER", "--server $SERVER --submission-mode skills-only"],
  },
  { command: "readiness list", works: [], fails: ["--limit 101", "--kind gemini"] },
  { command: "readiness status", works: [], fails: ["--run none"] },
  { command: "readiness cancel", works: [], fails: ["--run none"] },
  { command: "readiness delete", works: [], fails: ["--run none --yes"] },
  { command: "readiness report", works: [], fails: ["--run none"] },
];

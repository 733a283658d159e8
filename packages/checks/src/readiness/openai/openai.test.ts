import { type RunningSample, startCafe } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openaiListingSpoilings } from "../testing/openai-listing-spoilings.ts";
import { openaiPackageSpoilings } from "../testing/openai-package-spoilings.ts";
import { openaiServerSpoilings } from "../testing/openai-server-spoilings.ts";
import {
  goodSkills,
  openStage,
  type Spoiling,
  type Stage,
  unspoiled,
  withoutReason,
} from "../testing/spoiling.ts";
import { openaiDirectory } from "./directory.ts";

const spoilings = [...openaiServerSpoilings, ...openaiListingSpoilings, ...openaiPackageSpoilings];

let cafe: RunningSample;
let stage: Stage;
beforeAll(async () => {
  cafe = await startCafe();
  stage = openStage("openai", cafe.url);
});
afterAll(() => cafe.close());

const package_ = "plugin-package";
const runtime = "runtime-compatibility";

test.each<[string, Partial<Spoiling>, string[]]>([
  ["skills alone", { mode: "skills-only" }, ["directory-policy", package_]],
  ["a server alone", { mode: "mcp-only" }, [runtime, "directory-policy"]],
  [
    "a server with skills of its own",
    { mode: "mcp-imported-skills", server: { skills: goodSkills } },
    [runtime, "directory-policy"],
  ],
  ["a server with a package", {}, [runtime, "directory-policy", package_]],
  [
    "a guarded server with a package",
    { server: { guard: unspoiled } },
    [runtime, "directory-policy", package_],
  ],
])("%s with everything right and a full profile is ready", async (_, spoiling, preflight) => {
  const { mode } = spoiling;
  const bare = mode === "skills-only" ? { evidence: (e: { server?: unknown }) => void delete e.server } : {};
  const { overallStatus, stages, findings } = await stage.report({ ...spoiling, ...bare });
  expect(findings.filter(({ status }) => status === "violated").map(({ id }) => id)).toEqual([]);
  expect(overallStatus).toBe("ready");
  expect(stages).toEqual([
    { stage: "technical-preflight", status: "ready", lanes: preflight },
    { stage: "submission-ready", status: "ready", lanes: [...preflight, "submission-artifacts"] },
  ]);
});

test("a package is looked for only where one is submitted, a server too", async () => {
  const { findings } = await stage.report({ mode: "mcp-only" });
  expect(findings.filter(({ lane }) => lane === package_)).toEqual([]);
  const missing = await stage.report({
    mode: "mcp-uploaded-skills",
    evidence: (evidence: { package?: unknown }) => void delete evidence.package,
  });
  expect(missing.overallStatus).toBe("incomplete");
  expect(missing.lanes.find(({ lane }) => lane === package_)?.missingInputs).toEqual(["pluginBundle"]);
});

describe.concurrent("a submission with one thing wrong changes exactly the findings it should", () => {
  test.each(spoilings.map((spoiling) => [spoiling.name, spoiling] as const))("%s", async (_, spoiling) => {
    const { changes, report } = await stage.changesOf(spoiling);
    expect(changes).toEqual(spoiling.changes);
    expect(withoutReason(report)).toEqual([]);
    if (spoiling.grade) expect(report.overallStatus).toBe(spoiling.grade);
  });
});

test("every rule that decides is violated by some spoiling", () => {
  const violated = new Set(
    spoilings.flatMap(({ changes }) =>
      Object.entries(changes).flatMap(([id, status]) => (status === "violated" ? [id] : [])),
    ),
  );
  const unproven = openaiDirectory.rules
    .filter(({ class: of }) => of === "required" || of === "runtime-blocker")
    .map(({ id }) => id)
    .filter((id) => !violated.has(id));
  // Its own test writes an archive of that size.
  expect(unproven).toEqual(["openai.package.compressed-size"]);
  expect(spoilings.length).toBeGreaterThanOrEqual(60);
});

/** @module The rows of personas, journeys and swarms. */
import type { Row } from "./rows.ts";

/* What belongs to one group is made and taken away in it. */
const persona = "--persona Ann-$N";
const swarm = "--swarm Spring-$N";
const journey = "--journey Bees-$N";
const budget = "--sessions-per-target 2 --max-turns 5";

const desk: NonNullable<Row["before"]> = {
  line: "cloud environments ensure-adhoc --host Ours-$N --model fettle/rules-1",
  names: ({ environment }) => ({ DESK: environment?.id }),
};

export const swarmRows: readonly Row[] = [
  {
    command: "cloud personas create",
    works: ["--name Ann-$N --role buyer --idempotency-key ann-$N"],
    fails: ["--name Ann"],
  },
  { command: "cloud personas list", works: ["--limit 50"], fails: ["--cursor nope"] },
  { command: "cloud personas get", works: [persona], fails: ["--persona An-$N"] },
  { command: "cloud personas update", works: [`${persona} --notes hurried`], fails: [persona] },
  { command: "cloud swarms create", works: [`--name Spring-$N ${budget}`], fails: ["--name Spring"] },
  { command: "cloud swarms list", works: [""] },
  { command: "cloud swarms get", works: [swarm], fails: ["--swarm Sprig-$N"] },
  {
    command: "cloud swarms update",
    works: [`${swarm} --description warm`],
    fails: [`${swarm} --max-turns 2`],
  },
  {
    command: "cloud journeys create",
    before: {
      line: "cloud personas create --name Guide-$N --role guide",
      names: ({ id }) => ({ GUIDE: id }),
    },
    works: [`--name Bees-$N --goal "Find a book about bees" --persona $GUIDE ${budget}`],
    fails: ["--goal Find --persona None --max-turns 5", "--goal Find --max-turns 500"],
  },
  { command: "cloud journeys list", works: ["--limit 50"], fails: ["--swarm None"] },
  { command: "cloud journeys get", works: [journey], fails: ["--journey Bes-$N"] },
  { command: "cloud journeys update", works: [`${journey} --goal "Find two"`], fails: [journey] },
  {
    command: "cloud personas generate",
    before: desk,
    works: ["--environment $DESK --persona-count 2 --journey-count 1"],
    fails: ["", "--environment $DESK --persona-count 13"],
  },
  {
    command: "cloud journeys generate",
    before: desk,
    works: ["--environment $DESK --persona-name Ann --persona-role buyer"],
    fails: ["--environment $DESK", "--environment none --persona-name Ann --persona-role buyer"],
  },
  { command: "cloud journeys estimate", works: [], fails: [journey, "--journey None"] },
  { command: "cloud journeys run", works: [], fails: [journey, "--wait", `${journey} --wait-timeout 5`] },
  { command: "cloud journeys runs", works: [journey], fails: [`${journey} --cursor nope`] },
  { command: "cloud journeys status", works: [], fails: ["--run jrn_none"] },
  { command: "cloud journeys sessions", works: [], fails: ["--run jrn_none"] },
  { command: "cloud journeys transcript", works: [], fails: ["--run jrn_none --session synth_none"] },
  { command: "cloud journeys cancel", works: [], fails: ["--run jrn_none"] },
  { command: "cloud journeys runs delete", works: [], fails: ["--run jrn_none --yes", "--run jrn_none"] },
  { command: "cloud journeys scorecard", works: [], fails: ["--run jrn_none"] },
  {
    command: "cloud journeys calibrate",
    before: desk,
    works: [],
    fails: ["--scenario none --environment $DESK", "--environment none", "--wait-timeout 5"],
  },
  {
    command: "cloud journeys calibration-estimate",
    before: desk,
    works: ["--environment $DESK"],
    fails: ["--scenario none --environment $DESK"],
  },
  { command: "cloud journeys cancel-calibration", works: [], fails: ["--calibration cal_none"] },
  { command: "cloud journeys calibrations", works: [""], fails: ["--cursor nope"] },
  { command: "cloud journeys calibration", works: [], fails: ["--calibration cal_none"] },
  { command: "cloud journeys findings", works: [""], fails: ["--cursor nope"] },
  { command: "cloud journeys dismiss-finding", works: [], fails: ["--finding rf_none"] },
  { command: "cloud journeys undismiss-finding", works: [], fails: ["--finding rf_none"] },
  { command: "cloud journeys overview", works: [""] },
  { command: "cloud journeys insights", works: [], fails: ["--wave none"] },
  { command: "cloud journeys request-insights", works: [], fails: ["--wave none"] },
  { command: "cloud journeys cancel-insights", works: [], fails: ["--wave none"] },
  { command: "cloud journeys archive", works: [journey] },
  { command: "cloud swarms archive", works: [swarm] },
  { command: "cloud personas delete", works: [persona], fails: ["--persona per_none"] },
];

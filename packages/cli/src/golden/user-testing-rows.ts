/** @module The rows of scenarios and of what their visitors did. */
import type { Row } from "./rows.ts";

/** The environment that is published, and the scenario it is then. */
const anEnvironment: NonNullable<Row["before"]> = {
  line: "cloud environments ensure-adhoc --host Ours-$N",
  names: ({ environment }) => ({ ADHOC: environment?.id }),
};
const another: NonNullable<Row["before"]> = {
  line: "cloud environments ensure-adhoc --host Ours-$N --model fettle/rules-1",
  names: ({ environment }) => ({ ADHOC: environment?.id }),
};

const theOne = "--scenario Book-$N";
const missing = "--scenario Bok-$N";

const guests =
  "--enabled true --computer-enabled false --shared-skills-enabled true --daily-credit-cap 50 --daily-computer-start-cap 0 --max-concurrent-computers 0";

export const userTestingRows: readonly Row[] = [
  {
    command: "cloud scenarios publish",
    works: ["--environment $ADHOC --name Book-$N --mode invited_only", "--environment $ADHOC --name Other"],
    fails: ["--environment none", "--environment $ADHOC --mode everybody"],
    before: anEnvironment,
  },
  { command: "cloud scenarios list", works: [""] },
  { command: "cloud scenarios get", works: [theOne], fails: [missing] },
  { command: "cloud user-testing get", works: [theOne], fails: [missing] },
  {
    command: "cloud user-testing update",
    works: [`${theOne} --description 'Any you like'`, `${theOne} --mode anyone_with_link`],
    fails: [theOne, `${theOne} --mode project_members --name x`],
  },
  {
    command: "cloud user-testing invite",
    works: [`${theOne} --email ana@example.com`],
    fails: [`${theOne} --email ana`],
  },
  {
    command: "cloud user-testing remove-member",
    works: [`${theOne} --member ana@example.com`],
    fails: [`${theOne} --member ana@example.com`],
  },
  {
    command: "cloud user-testing guest-execution",
    works: [`${theOne} ${guests}`],
    fails: [`${theOne} --enabled true`, `${theOne} ${guests} --max-turns 0`],
  },
  { command: "cloud user-testing rotate-link", works: [theOne, `${theOne} --evict-redeemed`] },
  {
    command: "cloud user-testing rebind",
    works: [`${theOne} --environment $ADHOC`],
    fails: [`${theOne} --environment none`],
    before: another,
  },
  {
    command: "cloud user-testing sessions",
    works: [theOne],
    fails: [`${theOne} --feedback bad`, `${theOne} --cursor x`],
  },
  { command: "cloud user-testing session", works: [], fails: [`${theOne} --session none`] },
  { command: "cloud user-testing metrics", works: [], fails: [theOne, `${theOne} --population all`] },
  { command: "cloud user-testing usage", works: [], fails: [theOne] },
  // Nobody was there, so that there is nothing to look at.
  { command: "cloud user-testing signals", works: [], fails: [theOne] },
  { command: "cloud user-testing findings", works: [theOne], fails: [`${theOne} --cursor x`] },
  { command: "cloud user-testing insights", works: [], fails: [theOne, `${theOne} --window none`] },
  {
    command: "cloud user-testing request-insights",
    works: [],
    fails: [theOne, `${theOne} --force`],
  },
  { command: "cloud user-testing cancel-insights", works: [], fails: [`${theOne} --window none`] },
  { command: "cloud user-testing dismiss-finding", works: [], fails: [`${theOne} --finding none`] },
  { command: "cloud user-testing undismiss-finding", works: [], fails: [`${theOne} --finding none`] },
  {
    command: "cloud scenarios unpublish",
    works: ["--environment $ADHOC", "--environment $ADHOC"],
    fails: ["--environment none"],
    before: another,
  },
];

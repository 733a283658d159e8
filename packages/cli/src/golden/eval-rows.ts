/** @module The rows of the suites and cases that a project keeps. */
import type { Row } from "./rows.ts";

const suite = "--suite Suite-$N";
const caseOfIt = `${suite} --case $CASE`;

const aCase: NonNullable<Row["before"]> = {
  line: `cloud eval cases list ${suite}`,
  names: ({ items, cases }) => ({ CASE: (items ?? cases)?.[0]?.id }),
};

const aRun: NonNullable<Row["before"]> = {
  line: `cloud eval runs ${suite}`,
  names: ({ items }) => ({ RUN: items?.[0]?.id }),
};

export const evalRows: readonly Row[] = [
  {
    command: "cloud eval create",
    works: [
      `--name Suite-$N --server Bookshop --model fettle/rules-1 --json '{"tests":[{"title":"One","steps":[{"id":"ask","kind":"prompt","prompt":"One"}]}]}'`,
    ],
    fails: ["", "--name Suite-$N --server Bokshop --model fettle/rules-1", "--file none.json"],
  },
  { command: "cloud eval list", works: [""] },
  { command: "cloud eval get", works: [suite], fails: ["--suite Siute-$N"] },
  { command: "cloud eval update", works: [`${suite} --min-accuracy 95`], fails: [suite] },
  {
    command: "cloud eval schedule",
    works: [`${suite} --enable --interval 1440`],
    fails: [suite, `${suite} --enable --interval daily`],
  },
  {
    command: "cloud eval environments set",
    works: [`${suite} --environment Desk-$N`],
    fails: [`${suite} --environment Dsk-$N`],
  },
  { command: "cloud eval environments clear", works: [suite] },
  { command: "cloud eval cases list", works: [suite], fails: ["--suite none"] },
  { command: "cloud eval cases get", works: [caseOfIt], fails: [`${suite} --case none`], before: aCase },
  {
    command: "cloud eval cases create",
    works: [`${suite} --title Two --json '{"steps":[{"id":"ask","kind":"prompt","prompt":"Two"}]}'`],
    fails: [suite],
  },
  {
    command: "cloud eval cases update",
    works: [`${caseOfIt} --title Renamed`],
    fails: [`${suite} --case none --title x`],
    before: aCase,
  },
  { command: "cloud eval cases generate", works: [`${suite} --simple 1`], fails: [`${suite} --mode nope`] },
  { command: "cloud eval run", works: [`${suite} --wait`], fails: ["", "--suite none", "--file none.yaml"] },
  {
    command: "cloud eval cases run",
    // A run that may still be under way would be told differently each time.
    works: [],
    fails: [`${suite} --case Tow`, `${suite} --case Two --compose-model x`],
  },
  { command: "cloud eval export", works: [`${suite} --out suite-of-$N.yaml`], fails: ["--suite none"] },
  { command: "cloud eval checks list", works: [""] },
  {
    command: "cloud eval checks connect",
    works: [],
    fails: [`${suite} --repo acme/shop`, `${suite} --repo acme/shop --outage-policy fail_open`],
  },
  { command: "cloud eval runs", works: [suite], fails: ["--suite none"] },
  { command: "cloud eval status", works: ["--run $RUN"], fails: ["--run none"], before: aRun },
  { command: "cloud eval iterations", works: ["--run $RUN"], fails: ["--run none"], before: aRun },
  { command: "cloud eval trace", works: [], fails: ["--run $RUN --iteration none"], before: aRun },
  { command: "cloud eval steps", works: [], fails: ["--run $RUN --iteration none"], before: aRun },
  {
    command: "cloud eval gate",
    works: ["--run $RUN"],
    fails: ["", "--run $RUN --baseline $RUN", "--run $RUN --min-sample-size 3", "--run none"],
    before: aRun,
  },
  {
    command: "cloud eval gate waive",
    works: [],
    fails: ["--run $RUN --reason Known --expires-in 7d", "--run $RUN --reason Known --expires-in 7"],
    before: aRun,
  },
  { command: "cloud eval gate unwaive", works: [], fails: ["--run $RUN"], before: aRun },
  { command: "cloud eval compare", works: [], fails: ["--run $RUN"], before: aRun },
  { command: "cloud eval judge", works: [], fails: ["--run $RUN", "--run none"], before: aRun },
  { command: "cloud eval insights", works: ["--run $RUN"], fails: ["--run none"], before: aRun },
  // Nothing is being made before somebody asks.
  { command: "cloud eval cancel-insights", works: [], fails: ["--run $RUN"], before: aRun },
  {
    command: "cloud eval request-insights",
    works: ["--run $RUN"],
    fails: ["--run none --force"],
    before: aRun,
  },
  { command: "cloud eval cancel", works: ["--run $RUN"], fails: ["--run none"], before: aRun },
  { command: "cloud eval runs delete", works: [], fails: ["--run none --yes", "--run none"] },
  {
    command: "cloud eval cases delete",
    works: [`${caseOfIt} --yes`],
    fails: [caseOfIt],
    before: aCase,
  },
  { command: "cloud eval delete", works: [`${suite} --yes`], fails: ["--suite none --yes", suite] },
];

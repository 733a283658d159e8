/** @module The rows of what was done with a saved server, and of the calls people keep. */
import type { Row } from "./rows.ts";

const shop = "--server Bookshop";
const entry = `${shop} --entry $ENTRY`;
const sea = `${shop} --call Sea-$N`;

const lastEntry: NonNullable<Row["before"]> = {
  line: `cloud projects servers calls run ${sea}`,
  names: ({ entry }) => ({ ENTRY: entry?.id }),
};

export const serverHistoryRows: readonly Row[] = [
  {
    command: "cloud projects servers calls save",
    works: [
      `${shop} --name Sea-$N --subject search_books --json '{"query":"sea"}'`,
      `${shop} --name Order-$N --kind prompt --subject recommend`,
    ],
    fails: [`${shop} --name sea-$N --subject search_books`, `${shop} --name Nothing`],
  },
  {
    command: "cloud projects servers calls run",
    works: [sea, sea, `${sea} --json '{"query":"land"}'`],
    fails: [`${shop} --call Se`, `${sea} --json nope`],
  },
  { command: "cloud projects servers calls", works: [shop], fails: ["--server Bokshop"] },
  { command: "cloud projects servers calls get", works: [sea], fails: [`${shop} --call Se`] },
  {
    command: "cloud projects servers calls update",
    works: [`${shop} --call Order-$N --name Advice-$N`],
    fails: [`${shop} --call Advice-$N`],
  },
  { command: "cloud projects servers calls eval-case", works: [], fails: [sea] },
  {
    command: "cloud projects servers history",
    works: [`${shop} --limit 2`, `${shop} --kind health --outcome failed`],
    fails: [`${shop} --kind chat`, `${shop} --cursor 'a b'`],
  },
  {
    command: "cloud projects servers history get",
    works: [entry],
    fails: [`${shop} --entry none`],
    before: lastEntry,
  },
  {
    command: "cloud projects servers history diff",
    works: [entry],
    fails: [`${entry} --with none`],
    before: lastEntry,
  },
  {
    command: "cloud projects servers history run",
    works: [entry],
    fails: [`${shop} --entry none`],
    before: lastEntry,
  },
  {
    command: "cloud projects servers history eval-case",
    works: [],
    fails: [entry],
    before: lastEntry,
  },
  { command: "cloud projects servers verdicts", works: [shop], fails: ["--server Bokshop"] },
  {
    command: "cloud projects servers calls delete",
    works: [`${shop} --call Advice-$N --yes`],
    fails: [`${shop} --call Advice-$N --yes`, `${shop} --call Sea-$N`],
  },
  { command: "cloud projects retention", works: [""] },
  {
    command: "cloud projects retention update",
    works: ["--days 7 --entries-per-server 100", "--run-days 90", "--keep-runs"],
    fails: ["", "--days 0", "--run-days 0"],
  },
  { command: "cloud conformance runs", works: [""], fails: ["--server none", "--cursor nope"] },
  { command: "cloud conformance runs delete", works: [], fails: ["--run cfr_none --yes"] },
];

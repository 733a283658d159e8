/** @module The rows of the registry: its directories, cards, and installing from them. */
import type { Row } from "./rows.ts";

const found: NonNullable<Row["before"]> = {
  line: "registry search bookshop",
  names: ({ items }) => ({ ENTRY: items[0]?.id }),
};

export const registryRows: readonly Row[] = [
  { command: "registry sources", works: [""], fails: ["extra"] },
  {
    command: "registry search",
    works: ["bookshop", "--source samples --endpoint-kind tenant", "nothing-like-it"],
    fails: ["--row-type shop", "--limit 0", "--cursor none"],
  },
  {
    command: "registry show",
    works: ["fettle.samples/bookshop", "fettle.samples/cafe --source samples"],
    fails: ["", "fettle.samples/nothing", "fettle.samples/cafe --source file"],
  },
  { command: "registry servers", works: ["", "--scope global"], fails: ["--scope mine"] },
  {
    command: "registry install",
    works: ["$ENTRY --name Shop-$N", "$ENTRY"],
    fails: [
      "$ENTRY --endpoint-url https://elsewhere.example/mcp",
      "$ENTRY --expected-content-hash other",
      "$ENTRY --expected-updated-at 1",
      "none --card",
    ],
    before: found,
  },
  { command: "registry connections", works: [""], fails: ["--project none"] },
];

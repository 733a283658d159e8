/** @module The rows of conversations, with models and with the workspace agent. */
import type { Row } from "./rows.ts";

const begin = "--server Bookshop --model fettle/rules-1 --message 'List my orders'";

const aSession: NonNullable<Row["before"]> = {
  line: "cloud sessions list",
  names: ({ items }) => ({ SESSION: items?.[0]?.id }),
};

export const sessionRows: readonly Row[] = [
  {
    command: "cloud agent run",
    works: ["--message 'Write me a poem'", "--message 'show run none' --conversation desk"],
    fails: ["", "--file nowhere.json", "--file -", `--message x --conversation ${"c".repeat(65)}`],
  },
  {
    command: "cloud sessions send",
    works: [`${begin} --idempotency-key one-$N`],
    fails: [
      "--message Hello",
      "--message Hello --idempotency-key x",
      "--server Bookshop --message Hello --idempotency-key x",
      "--server Bookshop --model gpt-5 --message Hello --idempotency-key x",
      "--session none --model fettle/rules-1 --message Hello --idempotency-key x",
      "--session none --message Hello --idempotency-key x",
    ],
  },
  { command: "cloud sessions list", works: [""], fails: ["--all-projects --project Sample"] },
  {
    command: "cloud sessions search",
    works: ["--query orders", "--query bookshop --scope transcripts --source direct"],
    fails: ["--query x --source nope"],
  },
  {
    command: "cloud sessions show",
    works: ["--session $SESSION"],
    fails: ["--session none"],
    before: aSession,
  },
  {
    command: "cloud sessions trace",
    works: ["--session $SESSION --no-spans"],
    fails: ["--session none", "--session $SESSION --turn none"],
    before: aSession,
  },
  { command: "cloud sessions promote", works: [], fails: ["--session none --suite none"] },
];

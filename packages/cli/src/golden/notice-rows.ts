/** @module The rows of notices: webhooks, letters, a server's schedule and the audit log. */
import type { Row } from "./rows.ts";

const pager = "--webhook Pager-$N";
const ours = "--org 'Sample organization'";
const shop = "--server Bookshop";

export const noticeRows: readonly Row[] = [
  {
    command: "cloud projects webhooks create",
    works: ["--name Pager-$N --url $DEAD --events verdict.turned tunnel.dropped"],
    fails: [
      "--name Pager --url $DEAD --events verdict.turnd",
      "--name Pager --url nope --events verdict.turned",
    ],
  },
  { command: "cloud projects webhooks", works: [""], fails: ["--project Smple"] },
  { command: "cloud projects webhooks get", works: [pager], fails: ["--webhook Pagr-$N"] },
  {
    command: "cloud projects webhooks update",
    works: [`${pager} --disable`, `${pager} --enable --events eval_run.ended`],
    fails: [pager, `${pager} --enable --disable`],
  },
  { command: "cloud projects webhooks rotate-secret", works: [pager] },
  { command: "cloud projects webhooks test", works: [pager], fails: ["--webhook Pagr-$N"] },
  {
    command: "cloud projects webhooks deliveries",
    // What was sent may have been tried by now or not; nothing has been given up.
    works: [`${pager} --state failed`],
    fails: [`${pager} --state lost`],
  },
  {
    command: "cloud projects webhooks redeliver",
    works: [],
    fails: [`${pager} --delivery none`],
  },
  { command: "cloud projects webhooks delete", works: [`${pager} --yes`], fails: [pager] },
  { command: "cloud projects letters", works: [""] },
  {
    command: "cloud projects letters update",
    works: ["--events verdict.turned", "--none"],
    fails: ["", "--events verdict.turnd", "--events verdict.turned --none"],
  },
  { command: "cloud projects servers schedule", works: [shop], fails: ["--server Bokshop"] },
  {
    command: "cloud projects servers schedule update",
    works: [`${shop} --enable --interval 1440 --suites protocol`, `${shop} --disable`],
    fails: [shop, `${shop} --enable --interval 1`, `${shop} --enable --suites protcol`],
  },
  {
    command: "cloud organizations spend",
    works: [ours, `${ours} --days 7`],
    fails: ["--org none", `${ours} --days 0`],
  },
  {
    command: "cloud organizations audit",
    works: [`${ours} --action $ACTION --limit 1`, `${ours} --until 2026-01-01`],
    fails: ["--org none", `${ours} --since soon`],
    before: {
      line: `cloud projects servers schedule update ${shop} --disable`,
      names: () => ({ ACTION: "updateConformanceSchedule" }),
    },
  },
];

/** @module `cloud projects webhooks` and `letters`: who is told what happens in a project, and what became of telling it. */
import { noticeLimits, type Webhook, type WebhookWithSecret } from "@fettle/contract/notices";
import { usageError } from "../../cli-error.ts";
import { operationCommand } from "../../cloud/operation-command.ts";
import { cursor, limitOf } from "../../cloud/paging-flags.ts";
import { maybeSwitched } from "../../input/on-or-off.ts";
import { lines, style, text } from "../../output/text.ts";
import { flags } from "../../program/flag.ts";

const webhook = {
  parameter: "webhookId",
  find: "webhook",
  value: "id-or-name",
  help: "The webhook",
} as const;
const events = { field: "events", value: "event", help: "What it is told of" } as const;
const webhooks = "fettle cloud projects webhooks";

const switchFlags = flags({
  enable: { kind: "boolean", help: "Send again, also where the service had stopped" },
  disable: { kind: "boolean", help: "Send nothing" },
});

const stateText = ({ enabled, failingSince, switchedOffAt }: Webhook) =>
  switchedOffAt !== null
    ? style.red("switched off")
    : !enabled
      ? style.dim("off")
      : failingSince !== null
        ? style.yellow("failing")
        : style.green("on");

const deliveryColours = { waiting: style.yellow, delivered: style.green, failed: style.red };

const withSecret = (done: string) => ({
  text: ({ id, name, secret }: WebhookWithSecret) =>
    lines([
      text`${style.green("✓")} ${done} ${style.bold(name)} ${style.dim(`(${id})`)}`,
      text`Its secret, shown this once: ${style.bold(secret)}`,
    ]),
});

export const cloudWebhooksCommands = [
  operationCommand({
    operation: "listWebhooks",
    name: "cloud projects webhooks",
    summary: "Addresses that are told what happens in a project",
    description: ["Without a command, lists them. Needs project admin."],
    examples: { List: webhooks },
    shows: {
      noun: "webhook",
      table: {
        ID: "id",
        NAME: "name",
        STATE: stateText,
        EVENTS: (item) => item.events.join(", "),
        ADDRESS: "url",
      },
      shrinks: ["NAME", "EVENTS", "ADDRESS"],
      namesProject: true,
    },
    next: ({ items: [first] }) =>
      first ? `${webhooks} deliveries --webhook ${first.id}` : `${webhooks} create --help`,
  }),
  operationCommand({
    operation: "getWebhook",
    name: "cloud projects webhooks get",
    summary: "Show one, and since when it takes nothing",
    flags: { webhook },
    examples: { "By id or name": `${webhooks} get --webhook Pager` },
    shows: "outline",
  }),
  operationCommand({
    operation: "createWebhook",
    name: "cloud projects webhooks create",
    summary: "Tell an address what happens in a project",
    description: [
      "Each delivery is signed as Standard Webhooks has it, with a secret that is shown once. Needs project admin.",
    ],
    needsNamedProject: true,
    flags: {
      name: { field: "name", help: "Its name" },
      url: { field: "url", help: "Where to send; kept sealed, shown without its secrets" },
      events,
    },
    examples: {
      "When a verdict turns": `${webhooks} create --name Pager --url https://example.com/hook --events verdict.turned`,
    },
    shows: withSecret("Created"),
    next: ({ id }) => `${webhooks} test --webhook ${id}`,
  }),
  operationCommand({
    operation: "updateWebhook",
    name: "cloud projects webhooks update",
    summary: "Change one, or switch it on or off",
    needsNamedProject: true,
    flags: {
      webhook,
      name: { field: "name", help: "A new name" },
      url: { field: "url", help: "Another address" },
      events,
      ...switchFlags,
    },
    changes: true,
    body: ({ flags: said }, fields) => ({ ...fields, ...maybeSwitched(said) }),
    examples: { "Switch on again": `${webhooks} update --webhook Pager --enable` },
    shows: { done: "Changed" },
  }),
  operationCommand({
    operation: "deleteWebhook",
    name: "cloud projects webhooks delete",
    summary: "Delete one with its deliveries",
    needsNamedProject: true,
    flags: { webhook },
    examples: { "Without asking": `${webhooks} delete --webhook Pager --yes` },
    shows: { done: "Deleted" },
  }),
  operationCommand({
    operation: "rotateWebhookSecret",
    name: "cloud projects webhooks rotate-secret",
    summary: "Give one a new secret; for a day both sign",
    needsNamedProject: true,
    flags: { webhook },
    examples: { "By id or name": `${webhooks} rotate-secret --webhook Pager` },
    shows: withSecret("A new secret signs for"),
  }),
  operationCommand({
    operation: "testWebhook",
    name: "cloud projects webhooks test",
    summary: "Send a test event to one",
    needsNamedProject: true,
    flags: { webhook },
    examples: { "By id or name": `${webhooks} test --webhook Pager` },
    shows: { text: ({ id }) => text`${style.green("✓")} A test event is on its way ${style.dim(`(${id})`)}` },
    next: ({ webhookId }) => `${webhooks} deliveries --webhook ${webhookId}`,
  }),
  operationCommand({
    operation: "listWebhookDeliveries",
    name: "cloud projects webhooks deliveries",
    summary: "List what was sent to one and what it answered",
    description: [`The latest first. What was sent is kept for ${noticeLimits.keptDays} days.`],
    flags: {
      webhook,
      state: { field: "state", help: "Only those that stand so" },
      limit: limitOf(noticeLimits.listed),
      cursor,
    },
    // All of it may be very long.
    body: (_, fields) => ({ limit: noticeLimits.listed.fallback, ...fields }),
    examples: { "What was not taken": `${webhooks} deliveries --webhook Pager --state failed` },
    shows: {
      noun: "delivery",
      table: {
        ID: "id",
        AT: ({ createdAt }) => new Date(createdAt).toISOString(),
        EVENT: "event",
        STATE: ({ state }) => deliveryColours[state](state),
        TRIES: "attempts",
        ANSWER: ({ status, error }) => error ?? status ?? "-",
      },
      shrinks: ["ANSWER"],
    },
    next: ({ items }) => {
      const failed = items.find(({ state }) => state === "failed");
      return failed && `${webhooks} redeliver --webhook ${failed.webhookId} --delivery ${failed.id}`;
    },
  }),
  operationCommand({
    operation: "redeliverWebhook",
    name: "cloud projects webhooks redeliver",
    summary: "Send an event again, under the same id",
    needsNamedProject: true,
    flags: { webhook, delivery: { parameter: "deliveryId", value: "id", help: "What was sent" } },
    examples: { Again: `${webhooks} redeliver --webhook Pager --delivery dlv_...` },
    shows: { text: ({ id }) => text`${style.green("✓")} It is on its way again ${style.dim(`(${id})`)}` },
    next: ({ webhookId }) => `${webhooks} deliveries --webhook ${webhookId}`,
  }),
  operationCommand({
    operation: "getNoticeLetters",
    name: "cloud projects letters",
    summary: "Show what of a project you get letters about",
    examples: { Show: "fettle cloud projects letters" },
    shows: "outline",
  }),
  operationCommand({
    operation: "updateNoticeLetters",
    name: "cloud projects letters update",
    summary: "Choose what of a project you get letters about",
    description: ["In place of what was chosen before; --none for no letters."],
    needsNamedProject: true,
    flags: {
      events: { field: "events", value: "event", help: "What letters tell of" },
      none: { kind: "boolean", help: "No letters" },
    },
    changes: true,
    body: ({ flags: { none } }, fields) => {
      if (none && fields.events !== undefined) throw usageError("Use --events or --none, not both.");
      return none ? { events: [] } : fields;
    },
    examples: {
      "When a verdict turns": "fettle cloud projects letters update --events verdict.turned",
      None: "fettle cloud projects letters update --none",
    },
    shows: "outline",
  }),
];

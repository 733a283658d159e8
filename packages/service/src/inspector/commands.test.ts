/** @module Which page the terminal speaks to, and how long it waits for each step. */
import type { InspectorCommand, InspectorTab } from "@fettle/contract/inspector";
import { expect, it } from "vitest";
import { createCommands } from "./commands.ts";
import { createTabs } from "./tabs.ts";

const clocks = { acceptedMs: 30, doneMs: 60, usualCommandMs: 500 };
const command: InspectorCommand = { type: "navigate", payload: { page: "/" } };
const tab = (clientId: string, more: Partial<InspectorTab> = {}): InspectorTab => ({
  clientId,
  visible: true,
  focusedAt: 1,
  page: "/",
  ready: true,
  ...more,
});

type Given = { data: { id: string; clientId: string } };

function open(tabs: InspectorTab[], onCommand: (given: Given["data"]) => void = () => {}) {
  const all = createTabs(20);
  const commands = createCommands(all, clocks);
  const send = (frame: object) => onCommand((frame as Given).data);
  const leave = all.connect("b", { userAgent: "test", openForMs: 0, send });
  all.tell({ browserId: "b", tabs });
  return { all, commands, leave };
}

it("speaks to the visible page that was looked at last", () => {
  const { all } = open([
    tab("hidden", { visible: false, focusedAt: 9 }),
    tab("older"),
    tab("newer", { focusedAt: 2 }),
    tab("not-ready", { focusedAt: 10, ready: false }),
  ]);
  expect(all.ranked().map(({ clientId }) => clientId)).toEqual(["newer", "older", "hidden"]);
});

it("answers with what the page did", async () => {
  const { commands } = open([tab("one")], ({ id }) => {
    commands.acknowledge(id, { clientId: "one", phase: "done", result: { widget: "none" } });
  });
  expect(await commands.run(command)).toMatchObject({ status: "success", result: { widget: "none" } });
});

it("tries the next page once when the first does not take it", async () => {
  const asked: string[] = [];
  const { commands } = open([tab("first", { focusedAt: 2 }), tab("second")], ({ id, clientId }) => {
    asked.push(clientId);
    if (clientId === "second") commands.acknowledge(id, { clientId, phase: "done" });
  });
  expect(await commands.run(command)).toMatchObject({ status: "success" });
  expect(asked).toEqual(["first", "second"]);
});

it.each([
  ["takes it not", "timeout", () => {}],
  [
    "does not finish",
    "timeout",
    (commands: ReturnType<typeof createCommands>, id: string) =>
      commands.acknowledge(id, { clientId: "one", phase: "accepted" }),
  ],
  [
    "has no place for it",
    "unsupported_in_mode",
    (commands: ReturnType<typeof createCommands>, id: string) =>
      commands.acknowledge(id, {
        clientId: "one",
        phase: "failed",
        error: { code: "unsupported_in_mode", message: "No place." },
      }),
  ],
] as const)("a page that %s is %s", async (_what, code, act) => {
  const { commands } = open([tab("one")], ({ id }) => void act(commands, id));
  expect(await commands.run(command)).toMatchObject({ status: "error", error: { code } });
});

it("takes no word for a command from another page, nor after its end", async () => {
  let other: boolean | undefined;
  let known = "";
  const { commands } = open([tab("one")], ({ id }) => {
    known = id;
    other = commands.acknowledge(id, { clientId: "two", phase: "done" });
    commands.acknowledge(id, { clientId: "one", phase: "done" });
  });
  await commands.run(command);
  expect(other).toBe(false);
  expect(commands.acknowledge(known, { clientId: "one", phase: "done" })).toBe(false);
});

it("forgets a browser whose stream stays closed, and not one that reloads", async () => {
  const { all, leave } = open([tab("one")]);
  leave();
  const back = all.connect("b", { userAgent: "test", openForMs: 0, send: () => {} });
  await expect.poll(() => all.list().length).toBe(1);
  back();
  await expect.poll(() => all.list().length).toBe(0);
});

it("tells a page also what changed before its stream began, and nothing from before the page", async () => {
  const all = createTabs();
  const heard = (openForMs: number) => {
    const frames: object[] = [];
    all.connect(`open for ${openForMs}`, {
      userAgent: "test",
      openForMs,
      send: (frame) => frames.push(frame),
    });
    return frames;
  };
  const changed = (about: string) => ({ event: "changed", data: { topic: "project:proj_local", about } });
  all.tellAll(changed("servers"));
  all.tellAll(changed("history"));
  all.tellAll(changed("servers"));
  expect(heard(1_000)).toEqual([changed("servers"), changed("history")]);
  expect(heard(-60_000)).toEqual([]);
});

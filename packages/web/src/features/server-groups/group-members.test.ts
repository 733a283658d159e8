import type { ProjectServer, ServerGroup } from "@fettle/contract/servers";
import { expect, test } from "vitest";
import { groupMembers } from "./group-members.ts";

const server = (id: string, name: string, enabled = true) => ({ id, name, enabled }) as ProjectServer;
const group = { serverIds: ["a", "b", "c", "d"], serverNames: ["A", "B", "C", "D"] } as ServerGroup;

test("each frozen server is compared with what it is now", () => {
  const now = [server("a", "A"), server("b", "Bee"), server("c", "C", false), server("e", "E")];
  expect(groupMembers(group, now).map(({ frozenName, state }) => [frozenName, state])).toEqual([
    ["A", "same"],
    ["B", "renamed"],
    ["C", "disabled"],
    ["D", "deleted"],
  ]);
});

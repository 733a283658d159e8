import type { ProjectServer, ProjectServerUpdated } from "@fettle/contract/servers";
import { describe, expect, test } from "vitest";
import {
  afterMove,
  changedByBoth,
  createBody,
  draftOf,
  emptyDraft,
  leavesBehind,
  type ServerDraft,
  updateBody,
} from "./server-draft.ts";

const serverOf = (fields: Partial<ProjectServer> = {}): ProjectServer => ({
  id: "srv_1",
  projectId: "proj_1",
  name: "Shop",
  enabled: true,
  transportType: "http",
  url: "https://shop.example/mcp",
  useOAuth: true,
  hasClientSecret: true,
  headerNames: ["X-Key", "X-Team"],
  oauthScopes: ["read", "write"],
  createdAt: 1,
  updatedAt: 2,
  ...fields,
});
const server = serverOf();
const draft = (fields: Partial<ServerDraft> = {}, of = server) => ({ ...draftOf(of), ...fields });
const header = (name: string, value: string) => ({ name, value });

test("a saved server is edited as it is, without its secrets", () => {
  expect(draft()).toEqual({
    ...emptyDraft(),
    name: "Shop",
    url: "https://shop.example/mcp",
    replaceHeaders: false,
    useOAuth: true,
    scopes: "read write",
  });
  expect(draftOf(serverOf({ url: null })).url).toBe("");
});

describe("a new server", () => {
  const typed = (fields: Partial<ServerDraft>) =>
    createBody({ ...emptyDraft(), name: " Shop ", url: " https://shop.example/mcp ", ...fields });
  const base = { name: "Shop", transportType: "http", url: "https://shop.example/mcp" };

  test.each<[string, Partial<ServerDraft>, object]>([
    ["no more than its name and address", {}, {}],
    [
      "its headers, those with a name and a value",
      { headers: [header(" X-Key ", "k"), header("", "v"), header("X-Empty", "")] },
      { headers: { "X-Key": "k" } },
    ],
    ["its timeout in milliseconds", { timeoutSeconds: " 1.5 " }, { timeout: 1_500 }],
    ["no timeout of nothing", { timeoutSeconds: "0" }, {}],
    ["no timeout that is no number", { timeoutSeconds: "soon" }, {}],
    ["no timeout of spaces", { timeoutSeconds: " " }, {}],
    [
      "how to sign in",
      { useOAuth: true, scopes: "read, write  admin", clientId: " me ", clientSecret: " s " },
      {
        useOAuth: true,
        oauthScopes: ["read", "write", "admin"],
        clientId: "me",
        clientSecret: " s ",
      },
    ],
    ["no client of spaces", { clientId: "  ", scopes: " , " }, {}],
  ])("is sent with %s", (_, fields, sent) => {
    expect(typed(fields)).toStrictEqual({ ...base, ...sent });
  });
});

describe("a change", () => {
  test.each<[string, Partial<ServerDraft>, object | undefined]>([
    ["nothing", {}, undefined],
    ["nothing but spaces", { name: " Shop ", url: " https://shop.example/mcp " }, undefined],
    ["the name", { name: "Store" }, { name: "Store" }],
    ["the address", { url: "https://other.example/" }, { url: "https://other.example/" }],
    ["one header more", { headers: [header("X-Key", "k")] }, { headers: { "X-Key": "k" } }],
    ["all headers, for none", { replaceHeaders: true }, { headers: {} }],
    ["whether to sign in", { useOAuth: false }, { useOAuth: false }],
    ["the scopes", { scopes: "read" }, { oauthScopes: ["read"] }],
    ["the scopes, for none", { scopes: "" }, { oauthScopes: [] }],
    ["the timeout", { timeoutSeconds: "2" }, { timeout: 2_000 }],
    ["the secret", { clientSecret: "new" }, { clientSecret: "new" }],
    ["the secret, for none", { clearClientSecret: true }, { clearClientSecret: true }],
    ["the secret that was to go", { clearClientSecret: true, clientSecret: "new" }, { clientSecret: "new" }],
  ])("of %s is all that is sent", (_, fields, sent) => {
    expect(updateBody(draft(fields), server)).toStrictEqual(sent);
  });

  test("of a server without an address is of its address once one is typed", () => {
    const local = serverOf({ url: null });
    expect(updateBody(draft({}, local), local)).toBeUndefined();
    expect(updateBody(draft({ url: "https://a.example/" }, local), local)).toEqual({
      url: "https://a.example/",
    });
  });
});

describe("a server that moves", () => {
  const elsewhere = { url: "https://other.example/mcp" };
  test.each<[string, Partial<ServerDraft>, string[]]>([
    ["nothing, at the same origin", { url: "https://shop.example/v2" }, []],
    ["nothing, to no address", { url: "other" }, []],
    ["all secrets", elsewhere, ["X-Key", "X-Team", "the client secret", "everybody's sign-in"]],
    [
      "no headers that are replaced",
      { ...elsewhere, replaceHeaders: true },
      ["the client secret", "everybody's sign-in"],
    ],
    [
      "no headers, where one is typed",
      { ...elsewhere, headers: [header("X-Key", "k")] },
      ["the client secret", "everybody's sign-in"],
    ],
    [
      "all headers, where only a name is typed",
      { ...elsewhere, headers: [header("X-Key", "")] },
      ["X-Key", "X-Team", "the client secret", "everybody's sign-in"],
    ],
    [
      "no secret that is typed anew",
      { ...elsewhere, clientSecret: "s" },
      ["X-Key", "X-Team", "everybody's sign-in"],
    ],
  ])("leaves behind %s", (_, fields, left) => {
    expect(leavesBehind(draft(fields), server)).toEqual(left);
  });

  test("leaves nothing behind that it never had", () => {
    const plain = serverOf({ headerNames: [], hasClientSecret: false, useOAuth: false });
    expect(leavesBehind(draft(elsewhere, plain), plain)).toEqual([]);
    expect(leavesBehind(draft(elsewhere), serverOf({ url: null }))).toEqual([]);
  });

  test("is asked again for the headers that it lost, by their names", () => {
    const saved = (credentialsDropped: ProjectServerUpdated["credentialsDropped"]) => ({
      ...serverOf({ headerNames: [] }),
      credentialsDropped,
    });
    expect(afterMove(saved(["headers", "tokens"]), server).headers).toEqual([
      header("X-Key", ""),
      header("X-Team", ""),
    ]);
    expect(afterMove(saved(["tokens"]), server).headers).toEqual([]);
  });
});

test("what two people changed is told where they chose differently", () => {
  const theirs = serverOf({
    name: "Theirs",
    url: "https://theirs.example/",
    useOAuth: false,
    oauthScopes: [],
  });
  expect(changedByBoth(draft({ name: "Mine", scopes: "mine" }), server, theirs)).toEqual([
    "the name",
    "the scopes",
  ]);
  expect(changedByBoth(draft({ name: "Theirs" }), server, theirs)).toEqual([]);
  expect(changedByBoth(draft({ name: "Mine" }), server, server)).toEqual([]);
  expect(changedByBoth(draft(), server, theirs)).toEqual([]);
});

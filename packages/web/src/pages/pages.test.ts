import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { operationCommands } from "@fettle/contract/client";
import type { OperationDeclaration } from "@fettle/contract/core";
import { operations } from "@fettle/contract/operations";
import { expect, test } from "vitest";
import { jumps, keyBindings } from "../app/keymap.ts";
import { site } from "../build/site.ts";
import { commandLine, curlLine } from "./command-line.ts";
import { addressOf, isBare, matchPage, pageById, pagePath, pages, parametersOf, tabRoots } from "./pages.ts";

test("no two pages share an id, a path or a jump key", () => {
  const doubles = (values: (string | undefined)[]) =>
    values.filter((value, index) => value !== undefined && values.indexOf(value) !== index);
  expect(doubles(pages.map((page) => page.id))).toEqual([]);
  expect(doubles(pages.map((page) => page.path))).toEqual([]);
  expect(doubles(pages.map((page) => page.jump))).toEqual([]);
});

test("every page is found again by its own address", () => {
  for (const page of pages) {
    const parameters = Object.fromEntries(parametersOf(page).map((name) => [name, `${name} /ä`]));
    expect(matchPage(addressOf(page, parameters))).toEqual({ page, parameters });
  }
});

test("an address that is no page, or lacks a parameter, matches nothing", () => {
  for (const path of ["/", "/nope", "/o", "/o/", "/p//settings/general", "/account/keys/more"]) {
    expect(matchPage(path)).toBeUndefined();
  }
});

test("a page's path takes its parameters encoded", () => {
  expect(pagePath("project-general", { pid: "a/b" })).toBe("/p/a%2Fb/settings/general");
});

test("a page's command is its operation's own, with the ids of the address and what the view tells", () => {
  const known = {
    pid: "prj_1",
    kid: "skl_2",
    address: "https://x.test/mcp?a=1&b=2",
    tool: "it's",
    arguments: "{}",
  };
  expect(commandLine(pageById("skill"), known)).toBe("fettle cloud skills get --project prj_1 --skill skl_2");
  expect(commandLine(pageById("server-tools"), known)).toBe(
    "fettle tools call --url 'https://x.test/mcp?a=1&b=2' --tool-name 'it'\\''s' --tool-args '{}'",
  );
  const { pid, address } = known;
  const url = "--url 'https://x.test/mcp?a=1&b=2'";
  expect(commandLine(pageById("server-tools"), { pid, sid: "srv_3", address })).toBe(
    `fettle tools list ${url}`,
  );
  expect(commandLine(pageById("server-tools"), { pid, sid: "srv_3" })).toBe(
    "fettle cloud projects servers get --project prj_1 --server srv_3",
  );
});

/** What an address alone tells. */
const addressed = (page: { path: string }) =>
  Object.fromEntries(parametersOf(page).map((name) => [name, `${name}_1`]));

test("every page's command can be pasted from the moment the page opens", () => {
  const named = pages.filter(({ terminal }) => terminal && !("none" in terminal));
  expect(named.length).toBeGreaterThan(30);
  const missing = named.filter((page) => {
    const command = commandLine(page, addressed(page));
    return command === undefined || /[<>{}]/.test(command);
  });
  expect(missing.map(({ id }) => id)).toEqual([]);
});

test("beside it stands the call of the API, where it reads or its body is known", () => {
  const at = "https://fettle.test";
  const known = { pid: "prj_1", sid: "srv_3", tool: 'say "hi"', arguments: '{"to":"it\'s me"}' };
  const key = '-H "Authorization: Bearer $FETTLE_API_KEY"';
  expect(curlLine(pageById("skill"), { pid: "prj_1", kid: "a/b" }, at)).toBe(
    `curl https://fettle.test/api/v1/projects/prj_1/skills/a%2Fb ${key}`,
  );
  expect(curlLine(pageById("server-tools"), known, at)).toBe(
    `curl https://fettle.test/api/v1/projects/prj_1/servers/srv_3/tools/call ${key} -H 'Content-Type: application/json' -d '{"toolName":"say \\"hi\\"","parameters":{"to":"it'\\''s me"}}'`,
  );
  // What writes is not offered without what it would write.
  expect(curlLine(pageById("server-settings"), known, at)).toBeUndefined();
  const odd = pages.flatMap((page) => curlLine(page, addressed(page), at) ?? []);
  expect(odd.length).toBeGreaterThan(15);
  expect(odd.filter((line) => !/^curl https:\/\/fettle\.test\/api\/v1\/[^{}<>]* -H/.test(line))).toEqual([]);
});

test("a page says that the terminal has no such command only when nothing it reads or does has one", () => {
  const wrong = pages
    .filter(({ terminal }) => terminal && "none" in terminal)
    .flatMap(({ id, reads, action }) =>
      [...reads, ...(action ? [action.operation] : [])]
        .filter((each) => each in operationCommands)
        .map((each) => `${id}: ${each}`),
    );
  expect(wrong).toEqual([]);
});

test("who may act is what the contract says of the action's operation", () => {
  for (const { id, area, action } of pages) {
    if (!action) continue;
    const { access, elevated } = operations[action.operation] as OperationDeclaration;
    if (access.kind === "project") {
      expect(action.needs, id).toBe(["admin", "manage"].includes(access.role) ? "admin" : undefined);
    } else if (access.kind === "organization" && area === "organization") {
      expect(action.needs, id).toBe(access.role);
    } else if (action.needs) {
      expect(elevated, id).toContain(`role ${action.needs}`);
    }
    expect(action.refusal === undefined, id).toBe(action.needs === undefined);
  }
});

test("the address above a row of tabs leads to the first of them, and is no page itself", () => {
  const roots = Object.fromEntries(tabRoots.map(({ path, first }) => [path, first.id]));
  expect(roots).toMatchObject({
    "/p/$pid/servers/$sid": "server-overview",
    "/p/$pid/clients/$cid": "client-settings",
    "/account": "account-profile",
  });
  const taken: string[] = pages.map(({ path }) => path);
  expect(Object.keys(roots).filter((path) => taken.includes(path))).toEqual([]);
});

test("a page with a list says what it is when it is empty", () => {
  for (const page of pages.filter(({ action }) => action)) expect(page.empty, page.id).toBeDefined();
});

test("no single key means two things", () => {
  const single = keyBindings.filter(({ modifier }) => !modifier).map(({ key }) => key);
  expect(new Set(single).size).toBe(single.length);
  expect(single).not.toContain("g");
  expect([...jumps.values()].every((id) => pages.some((page) => page.id === id))).toBe(true);
});

test("the service is told of every page, under the right document", () => {
  const documents = Object.fromEntries(site.documents.map(({ file, paths }) => [file, paths]));
  for (const page of pages) {
    expect(documents[isBare(page) ? "bare.html" : "index.html"]).toContain(page.path);
  }
});

test("the README lists every page, and no other", () => {
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  const [, section = ""] = /^## Pages\n(.*?)^## /ms.exec(readme) ?? [];
  const listed = section.split("\n").filter((line) => line.startsWith("| `"));
  expect(listed.toSorted()).toEqual(
    pages.map(({ path, about }) => `| \`${path.replaceAll("$", ":")}\` | ${about} |`).toSorted(),
  );
});

test("every page has its view, which is all that its module exports, and every view its page", () => {
  const src = join(import.meta.dirname, "..");
  const views = readdirSync(join(src, "routes"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".tsx") && !path.startsWith("frames/"))
    .map((path) => `routes/${path}`);
  // What someone in no organization sees: a page without an address.
  const homeless = "routes/no-organization.tsx";
  const nameOf = (path: string) => path.replace(/^.*\//, "");
  expect(views.map(nameOf).sort()).toEqual([...pages.map(({ id }) => `${id}.tsx`), nameOf(homeless)].sort());
  const bare = pages.filter(isBare).map(({ id }) => `routes/entrance/${id}.tsx`);
  expect(views.filter((path) => path.startsWith("routes/entrance/")).sort()).toEqual(bare.sort());
  const exported = views.map((path) => readFileSync(join(src, path), "utf8").match(/^export .*/gm));
  expect(exported.filter((lines) => !/^export function [A-Z]/.test(lines?.[0] ?? "") || lines?.[1])).toEqual(
    [],
  );
});

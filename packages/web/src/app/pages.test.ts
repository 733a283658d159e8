import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { site } from "../build/site.ts";
import { jumps, keyBindings } from "./keymap.ts";
import { addressOf, fillNames, matchPage, type PageDeclaration, pagePath, pages } from "./pages.ts";

const all: readonly PageDeclaration[] = pages;
const parameterNames = (path: string) => [...path.matchAll(/\$(\w+)/g)].map((match) => match[1]!);

test("no two pages share an id, a path or a jump key", () => {
  const doubles = (values: (string | undefined)[]) =>
    values.filter((value, index) => value !== undefined && values.indexOf(value) !== index);
  expect(doubles(all.map((page) => page.id))).toEqual([]);
  expect(doubles(all.map((page) => page.path))).toEqual([]);
  expect(doubles(all.map((page) => page.jump))).toEqual([]);
});

test("every page is found again by its own address", () => {
  for (const page of all) {
    const parameters = Object.fromEntries(parameterNames(page.path).map((name) => [name, `${name} /ä`]));
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

test("commands and topics name only parameters their page has", () => {
  for (const page of all) {
    const known = Object.fromEntries(parameterNames(page.path).map((name) => [name, "x"]));
    const command = "command" in page.terminal ? page.terminal.command : "";
    for (const topic of page.topics) expect(fillNames(topic, known)).not.toMatch(/\{\w+\}/);
    expect(fillNames(command, known)).not.toMatch(/\{\w+\}/);
  }
});

test("a page with a list says what it is when it is empty", () => {
  for (const page of all.filter(({ action }) => action)) expect(page.empty, page.id).toBeDefined();
});

test("no single key means two things", () => {
  const single = keyBindings.filter(({ modifier }) => !modifier).map(({ key }) => key);
  expect(new Set(single).size).toBe(single.length);
  expect(single).not.toContain("g");
  expect([...jumps.values()].every((id) => all.some((page) => page.id === id))).toBe(true);
});

test("the service is told of every page, under the right document", () => {
  const documents = Object.fromEntries(site.documents.map(({ file, paths }) => [file, paths]));
  for (const page of all) {
    expect(documents[page.entry === "bare" ? "bare.html" : "index.html"]).toContain(page.path);
  }
});

test("the README lists every page, and no other", () => {
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  const [, section = ""] = /^## Pages\n(.*?)^## /ms.exec(readme) ?? [];
  const listed = section.split("\n").filter((line) => line.startsWith("| `"));
  expect(listed.toSorted()).toEqual(
    all.map(({ path, about }) => `| \`${path.replaceAll("$", ":")}\` | ${about} |`).toSorted(),
  );
});

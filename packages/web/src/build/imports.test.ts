/** @module Holds the folders of the web app to their order: pages use features, features use parts, parts use primitives. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { apiRoutes, appRoutes } from "@fettle/contract/client";
import { expect, test } from "vitest";

const src = join(import.meta.dirname, "..");

const allowed: Record<string, readonly string[]> = {
  app: ["routes", "features", "local", "pages", "kit", "ui", "api", "lib"],
  routes: ["features", "local", "pages", "kit", "ui", "api", "lib"],
  local: ["pages/pages.ts", "kit", "ui", "api", "lib"],
  features: ["pages/pages.ts", "pages/page-link.tsx", "pages/row-link.tsx", "kit", "ui", "api", "lib"],
  pages: ["kit", "ui", "api", "lib"],
  kit: [
    "ui",
    "api/chat-stream.ts",
    "api/completions.ts",
    "api/failure.ts",
    "api/operation.ts",
    "api/server-changes.ts",
    "api/server-questions.ts",
    "api/session.ts",
    "api/sign-in.ts",
    "api/topics.ts",
    "api/widget-server.ts",
    "lib",
  ],
  ui: ["lib"],
  api: ["lib"],
  lib: [],
  build: ["pages/pages.ts"],
};

const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
  (path) => /\.tsx?$/.test(path) && !/\.test\.ts$|^testing\//.test(path),
);

const importsOf = (path: string) =>
  [
    ...readFileSync(join(src, path), "utf8").matchAll(
      /(?:from|import(?:\.meta\.glob<.*>)?)\s*\(?\s*["'](\.[^"']+)["']/g,
    ),
  ].map((match) => relative(src, join(src, dirname(path), match[1]!)));

test("imports only go down, and features never know each other", () => {
  const broken = files.flatMap((path) => {
    const room = path.split("/")[0]!;
    if (!(room in allowed)) return [];
    return importsOf(path)
      .filter((target) => {
        if (room === "features" && target.startsWith("features/")) {
          return target.split("/")[1] !== path.split("/")[1];
        }
        return (
          !target.startsWith(`${room}/`) &&
          !allowed[room]!.some((each) => target === each || target.startsWith(`${each}/`))
        );
      })
      .map((target) => `${path} imports ${target}`);
  });
  expect(broken).toEqual([]);
});

test("only queries and the api folder call the service", () => {
  const callers = files.filter(
    (path) =>
      importsOf(path).includes("api/client.ts") &&
      !/\/queries\.ts$|^api\//.test(path) &&
      path !== "app/bare-router.tsx",
  );
  expect(callers).toEqual([]);
});

test("keys of reads are derived from operations, never written by hand", () => {
  const byHand = files.filter((path) => {
    const text = readFileSync(join(src, path), "utf8");
    const keys = [...text.matchAll(/queryKey: (\[[^\]]*\])/g)].map(([, key]) => key!);
    return keys.some((key) => {
      const [, word] = /^\["([^"]*)"/.exec(key) ?? [];
      return word !== undefined && !(word in apiRoutes) && !(word in appRoutes);
    });
  });
  expect(byHand).toEqual([]);
});

test("only one module touches browser storage", () => {
  const touching = files.filter((path) =>
    /\b(localStorage|sessionStorage|document\.cookie)\b/.test(readFileSync(join(src, path), "utf8")),
  );
  expect(touching).toEqual(["lib/storage.ts"]);
});

test("no page asks for all limits at once: they would travel to every page", () => {
  const all = /import \{[^}]*[\s,]limits[\s,][^}]*\} from "@fettle\/contract\/core"/;
  expect(files.filter((path) => all.test(readFileSync(join(src, path), "utf8")))).toEqual([]);
});

test("no file has grown past its idea", () => {
  const long = files.filter((path) => readFileSync(join(src, path), "utf8").split("\n").length > 250);
  expect(long).toEqual([]);
});

test("nothing writes markup from text", () => {
  const writing = files.filter((path) =>
    /dangerouslySetInnerHTML|\.innerHTML\b|insertAdjacentHTML/.test(readFileSync(join(src, path), "utf8")),
  );
  expect(writing).toEqual([]);
});

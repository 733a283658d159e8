import { limits } from "@fettle/contract/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bundle, skillFiles, skillText } from "../../testing/bundles.ts";
import { hashFiles, isPlainPath, readFileMap } from "./file-map.ts";
import { readPlugin } from "./plugin-bundle.ts";
import { readSkill } from "./skill-md.ts";

const skillOf = (text: string) => readSkill(readFileMap(bundle({ "SKILL.md": text })));

describe("paths", () => {
  it.each([
    "../secret",
    "a/../../b",
    "/etc/passwd",
    "a//b",
    "./a",
    "a\\b",
    "C:/x",
    "a/",
    "a\u0000b",
    "a/..",
    "nul. ",
    "",
  ])("that would leave the bundle are refused: %j", (path) => {
    expect(isPlainPath(path)).toBe(false);
  });

  it.each(["SKILL.md", ".claude-plugin/plugin.json", "skills/a/ref/b.md", "a..b/c"])(
    "that stay inside are taken: %s",
    (path) => {
      expect(isPlainPath(path)).toBe(true);
    },
  );

  it("never resolve outside, whatever they are made of", () => {
    const segment = fc.constantFrom("..", ".", "", "a", "b.md", "..a", "\\", ":");
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 6 }), (segments) => {
        const path = segments.join("/");
        if (!isPlainPath(path)) return;
        expect(new URL(path, "file:///bundle/").pathname).toBe(`/bundle/${path}`);
      }),
    );
  });

  it("that differ only in case are refused, and so is what is too large", () => {
    expect(() => readFileMap(bundle({ "A.md": "", "a.md": "" }))).toThrow(/case/);
    const large = "x".repeat(limits.bundles.fileBytes + 1);
    expect(() => readFileMap(bundle({ "a.md": large }))).toThrow(/larger/);
  });

  it("and contents together name a bundle, in any order", () => {
    const one = readFileMap(bundle({ a: "1", b: "2" }));
    expect(hashFiles(one)).toBe(hashFiles(readFileMap(bundle({ b: "2", a: "1" }))));
    expect(hashFiles(one)).not.toBe(hashFiles(readFileMap(bundle({ a: "12", b: "" }))));
  });
});

describe("a SKILL.md", () => {
  it("gives its name, description and body, and what it says beyond them", () => {
    const files = skillFiles("greet", { "ref/words.md": "Hello" }, "allowed-tools: Read\n");
    expect(readSkill(readFileMap(files))).toMatchObject({
      ok: true,
      skill: {
        name: "greet",
        description: "Does a thing",
        content: "# greet\n\nDo it.",
        extraFrontmatter: ["allowed-tools"],
        files: { "ref/words.md": Buffer.from("Hello").toString("base64") },
      },
    });
  });

  it.each([
    ["no front matter", "# Hello"],
    ["broken YAML", "---\nname: [\n---\n"],
    ["a list instead of fields", "---\n- name\n---\n"],
    ["aliases, which could unfold without end", "---\nname: &a x\ndescription: *a\n---\n"],
    ["no description", "---\nname: greet\n---\n"],
    ["a name with capitals", skillText("Greet")],
    ["a name with two hyphens", skillText("a--b")],
    ["a name too long", skillText("a".repeat(65))],
    ["a zero byte", skillText("a\u0000b")],
  ])("is refused with %s", (_what, text) => {
    expect(skillOf(text).ok).toBe(false);
  });
});

describe("a plugin's bundle", () => {
  const manifest = JSON.stringify({ name: "shop", version: "1.0.0" });

  it("gives its skills and servers, and counts what is kept or not supported", () => {
    const reading = readPlugin(
      readFileMap(
        bundle({
          ".claude-plugin/plugin.json": manifest,
          "skills/greet/SKILL.md": skillText("greet"),
          "skills/greet/ref.md": "x",
          ".mcp.json": JSON.stringify({
            mcpServers: { far: { type: "http", url: "https://mcp.example/mcp" }, near: { command: "node" } },
          }),
          "hooks/run.sh": "rm -rf /",
          "README.md": "Hello",
        }),
      ),
    );
    expect(reading).toMatchObject({
      ok: true,
      plugin: {
        problems: [],
        skills: [{ name: "greet" }],
        servers: [
          { name: "far", request: { transportType: "http" } },
          { name: "near", request: { transportType: "stdio" } },
        ],
        counts: { skills: 1, servers: 2, apps: 0, assets: 1, unsupported: 1 },
      },
    });
  });

  it("is invalid, with each reason, when a part of it is", () => {
    const reading = readPlugin(
      readFileMap(
        bundle({
          "plugin.json": manifest,
          "skills/greet/SKILL.md": skillText("other"),
          "skills/empty/notes.md": "x",
          ".mcp.json": JSON.stringify({ bad: { url: "file:///etc/passwd" } }),
        }),
      ),
    );
    expect(reading.ok && reading.plugin.problems).toEqual([
      expect.stringContaining("skills/greet"),
      expect.stringContaining("skills/empty"),
      expect.stringContaining(".mcp.json bad url"),
    ]);
  });

  it.each([
    ["no manifest", {}],
    ["a manifest that is not JSON", { "plugin.json": "{" }],
    ["no name", { "plugin.json": "{}" }],
    ["a name that is a path", { "plugin.json": '{"name":"../x"}' }],
  ])("cannot be read with %s", (_what, texts) => {
    expect(readPlugin(readFileMap(bundle(texts as Record<string, string>))).ok).toBe(false);
  });
});

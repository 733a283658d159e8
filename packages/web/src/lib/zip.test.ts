import { expect, test } from "vitest";
import { zip } from "../testing/zip.ts";
import { readPicked, toFileMap } from "./bundle.ts";
import { unzip } from "./zip.ts";

const caps = { files: 10, fileBytes: 1000, totalBytes: 1500 };

const textsOf = (files: Map<string, Uint8Array>) =>
  Object.fromEntries([...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]));

test("an archive gives its files, packed or stored, and no folders", async () => {
  const read = await unzip(
    zip([
      { name: "a/", text: "", stored: true },
      { name: "a/one.md", text: "one" },
      { name: "two.md", text: "two", stored: true },
    ]),
    caps,
  );
  expect(read.ok && textsOf(read.files)).toEqual({ "a/one.md": "one", "two.md": "two" });
});

test.each([
  ["is no zip", new Uint8Array(Buffer.from("hello, this is no archive at all")), /damaged/],
  ["is cut short", zip([{ name: "a", text: "x".repeat(400) }]).slice(0, 40), /damaged/],
  ["unfolds into more than allowed", zip([{ name: "bomb", text: "0".repeat(5_000_000) }]), /bomb.*larger/],
  [
    "unfolds into too much in all",
    zip(["a", "b"].map((name) => ({ name, text: "0".repeat(900) }))),
    /larger/,
  ],
  ["is encrypted", zip([{ name: "a", text: "x", flags: 1 }]), /encrypted/],
  ["is packed in another way", zip([{ name: "a", text: "x", method: 12 }]), /not read/],
  [
    "holds too many files",
    zip(Array.from({ length: 11 }, (_, at) => ({ name: `f${at}`, text: "" }))),
    /more than 10/,
  ],
])("an archive is refused when it %s", async (_what, bytes, reason) => {
  const read = await unzip(bytes, caps);
  expect(read.ok ? "" : read.reason).toMatch(reason);
});

test("the folder around a bundle falls away, and so does what file managers leave", async () => {
  const archive = new File(
    [
      zip([
        { name: "greet/SKILL.md", text: "s" },
        { name: "greet/.DS_Store", text: "x" },
      ]),
    ],
    "greet.zip",
  );
  const picked = await readPicked([archive]);
  expect(picked.ok && Object.keys(toFileMap(picked.files))).toEqual(["SKILL.md"]);
});

test("a plugin's folder of settings stays, even when it is all there is", async () => {
  const archive = new File([zip([{ name: ".claude-plugin/plugin.json", text: "{}" }])], "p.zip");
  const picked = await readPicked([archive]);
  expect(picked.ok && [...picked.files.keys()]).toEqual([".claude-plugin/plugin.json"]);
});

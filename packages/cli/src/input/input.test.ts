import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/world.ts";
import { createInput } from "./input.ts";

async function input(stdin = "") {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, "body.json"), '{"from":"file"}');
  return createInput({ cwd, stdin: Readable.from([stdin]) });
}

test.each([
  ["typed in place", '{"from":"flag"}', { from: "flag" }],
  ["in a file", "@body.json", { from: "file" }],
  ["on stdin", "-", { from: "stdin" }],
])("JSON may be %s", async (_, typed, value) => {
  expect(await (await input('{"from":"stdin"}')).json("--body", typed)).toEqual(value);
});

test("a path is a path, without an at sign", async () => {
  expect(await (await input()).file("--file", "body.json")).toBe('{"from":"file"}');
  expect(await (await input("text")).file("--file", "-")).toBe("text");
});

test.each([
  ["empty", " ", "--body is empty."],
  ["no JSON", "{a:1}", "--body is not JSON"],
  ["a file that is not there", "@nope.json", "--body cannot be read: there is no such file"],
  ["a folder", "@.", "--body cannot be read: it is a folder"],
  ["no object where one is needed", "[1]", "--body must be a JSON object."],
])("%s is a usage error", async (_, typed, message) => {
  const failure = (await input()).jsonObject("--body", typed);
  await expect(failure).rejects.toThrow(expect.objectContaining({ code: "USAGE_ERROR" }));
  await expect((await input()).jsonObject("--body", typed)).rejects.toThrow(message);
});

test("only one input reads stdin, and the second names the first", async () => {
  const once = await input("{}");
  await once.json("--body", "-");
  await expect(once.file("--file", "-")).rejects.toThrow("--file cannot read stdin: --body already does.");
});

test("an endless stdin is refused, not kept", async () => {
  const chunk = Buffer.alloc(1024 * 1024, "x");
  let sent = 0;
  const endless = Readable.from(
    (function* () {
      for (;;) {
        sent += 1;
        yield chunk;
      }
    })(),
  );
  const reading = createInput({ cwd: ".", stdin: endless }).json("--body", "-");
  await expect(reading).rejects.toThrow("--body is larger than 16 MiB.");
  expect(sent).toBeLessThan(64);
});

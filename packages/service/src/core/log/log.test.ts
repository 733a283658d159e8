import { inspect } from "node:util";
import { Secret } from "@fettle/contract/secrets";
import { describe, expect, test } from "vitest";
import { createLog } from "./log.ts";

const canary = "canary-5e1f77aa";

function captured(format: "json" | "human", level: "debug" | "info" | "warn" | "error" = "debug") {
  const lines: string[] = [];
  const log = createLog({ level, format, write: (text) => lines.push(text), now: () => 0 });
  return { log, lines };
}

/** Every place a credential has been seen in a log. */
const plantings: Record<string, unknown> = {
  header: {
    headers: { authorization: `Bearer ${canary}`, "Set-Cookie": [`s=${canary}`], "x-api-key": canary },
  },
  query: { url: `/cb?access_token=${canary}&code=${canary}` },
  userinfo: { target: new URL(`https://user:${canary}@host/`) },
  argv: { argv: ["node", "--api-key=x", `https://u:${canary}@h`, `sk_${canary}`] },
  env: {
    env: { DATABASE_URL: canary, FETTLE_SECRET_KEY: canary, OPENAI_API_KEY: canary, PGPASSWORD: canary },
  },
  secret: { value: new Secret(canary), list: [new Secret(canary)] },
  key: { used: `sk_live_${canary}` },
  body: { body: `{"refresh_token":"${canary}","password":1}` },
  row: { setupToken: canary, clientSecret: canary, connectToken: canary },
  error: {
    error: Object.assign(
      new Error(`connect postgres://u:${canary}@h failed`, { cause: new Error(`Bearer ${canary}`) }),
      {
        config: { headers: { Authorization: canary } },
      },
    ),
  },
};

describe.each(["json", "human"] as const)("the %s log", (format) => {
  test.each(Object.keys(plantings))("lets no canary through from: %s", (place) => {
    const { log, lines } = captured(format);
    const fields = plantings[place] as Record<string, unknown>;
    log.info(`message with Bearer ${canary}`, fields);
    log.child(fields).error("as bound fields");
    log.warn("nested", { deep: [{ deeper: fields }] });
    expect(lines).toHaveLength(3);
    expect(lines.join("")).not.toContain(canary);
    expect(lines.join("")).toMatch(/\[redacted\]/i);
  });

  test("tells what an error was caused by", () => {
    const { log, lines } = captured(format);
    log.error("failed", { error: new Error("outer", { cause: new Error("no such socket") }) });
    expect(lines.join("")).toContain("no such socket");
  });

  test("writes nothing below its level", () => {
    const { log, lines } = captured(format, "warn");
    log.debug("no");
    log.info("no");
    log.warn("yes");
    log.error("yes");
    expect(lines).toHaveLength(2);
  });

  test("keeps a line a line, whatever a value holds", () => {
    const { log, lines } = captured(format);
    log.info("line one\nline two\u001b[2J\u202e", { name: "a\nb\u001b]0;x\u0007" });
    expect(lines[0]?.trimEnd()).not.toMatch(/\p{Cc}/u);
  });

  test("shortens what is too long, and says that it was cut", () => {
    const { log, lines } = captured(format);
    log.info("m".repeat(100_000), { body: "b".repeat(1_000_000) });
    expect(lines[0]!.length).toBeLessThan(17_000);
    expect(lines[0]).toContain("cut");
  });
});

test("a JSON line is one object with the time, level, message and fields", () => {
  const { log, lines } = captured("json");
  log.child({ requestId: "req_1" }).info("answered", { status: 200, level: "forged", message: "forged" });
  expect(JSON.parse(lines[0]!)).toEqual({
    requestId: "req_1",
    status: 200,
    time: "1970-01-01T00:00:00.000Z",
    level: "info",
    message: "answered",
  });
});

test("a human line names the error and shows where it came from", () => {
  const { log, lines } = captured("human");
  log.error("job failed", { job: "sweep", error: new RangeError("too far") });
  expect(lines[0]).toMatch(
    /^00:00:00\.000 .*error.* job failed job=sweep \n {2}RangeError: too far\n {2}.*log\.test\.ts/s,
  );
  expect(inspect(log)).not.toContain(canary);
});

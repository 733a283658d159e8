import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "../../core/log/log.ts";
import { type TestApp, testApp } from "../../testing/app.ts";
import { testDatabase } from "../../testing/database.ts";
import { mailEnv, startMailServer } from "../../testing/mail-server.ts";
import { startProcess } from "../../testing/process.ts";
import type { EmailFacts } from "./email-texts.ts";
import { sendEmail, sendLetterJob } from "./mail.ts";

const facts = (change: Partial<EmailFacts["invitation"]> = {}): EmailFacts["invitation"] => ({
  organization: "Acme",
  invitedBy: "Ada",
  role: "member",
  url: "http://fettle.example.com/join#token=fin_canary",
  expiresAt: Date.now() + 3_600_000,
  ...change,
});

const send = (app: TestApp, to: string, change = {}) =>
  app.db.transaction((tx) => sendEmail(app, tx, "invitation", to, facts(change)));

async function letterJobs(app: TestApp) {
  const { rows } = await app.db.execute<{
    state: string;
    failures: number;
    error: { message: string } | null;
  }>(sql`select state, failures, error from jobs where name = ${sendLetterJob.name}`);
  return rows;
}

describe("a letter", () => {
  test("says in words and in HTML who writes, what to do, and until when", async () => {
    await using mail = await startMailServer();
    await using app = await testApp({ env: mailEnv(mail) });
    await app.work();
    expect(await send(app, "grace@example.com")).toBe(true);
    const letter = await mail.letterTo("grace@example.com");
    expect(letter.headers.get("from")).toBe("Fettle <fettle@example.com>");
    expect(letter.headers.get("subject")).toBe("Join Acme on Fettle");
    expect(letter.headers.get("message-id")).toMatch(/^<ltr_\w+@example\.com>$/);
    expect(letter.text).toMatch(
      /^Ada invites you to Acme on Fettle, as member\.\s+Accept the invitation:\s+http:\/\/fettle\.example\.com\/join#token=fin_canary\s+The link works once, .* UTC\.\s+$/,
    );
    expect(letter.html).toContain('<a href="http://fettle.example.com/join#token=fin_canary">');
  });

  test("whose transaction fails is never sent", async () => {
    await using mail = await startMailServer();
    await using app = await testApp({ env: mailEnv(mail) });
    const failing = app.db.transaction(async (tx) => {
      await sendEmail(app, tx, "invitation", "never@example.com", facts());
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    expect(await letterJobs(app)).toEqual([]);
  });

  test("is not sent where no mail is set up, and whoever asks is told", async () => {
    await using app = await testApp();
    expect(await send(app, "grace@example.com")).toBe(false);
    expect(await letterJobs(app)).toEqual([]);
  });

  test("cannot be one of many to the same mailbox", async () => {
    await using mail = await startMailServer();
    await using app = await testApp({ env: mailEnv(mail) });
    const asked = [];
    for (let n = 0; n < 7; n++) asked.push(await send(app, "flooded@example.com"));
    expect(asked).toEqual([true, true, true, true, true, false, false]);
    expect(await send(app, "other@example.com")).toBe(true);
  });
});

describe("names that people typed", () => {
  const names: [what: string, name: string][] = [
    ["a second header", "Acme\r\nBcc: eve@example.com"],
    ["a bare line feed", "Acme\nBcc: eve@example.com"],
    ["a body of their own", "Acme\r\n\r\n<h1>Pay here</h1>"],
    ["markup", '<img src=x onerror="alert(1)">'],
    ["an end of the data", "Acme\r\n.\r\nMAIL FROM:<eve@example.com>"],
    ["characters that turn text", "Acme\u202e\u0000\u2028Bcc: eve@example.com"],
    ["an address to go to", "https://evil.example/pay"],
  ];
  test("add no header, no reader, no markup and no link", async () => {
    await using mail = await startMailServer();
    await using app = await testApp({ env: mailEnv(mail) });
    await app.work();
    for (const [index, [what, name]] of names.entries()) {
      const to = `reader-${index}@example.com`;
      await send(app, to, { organization: name, invitedBy: name });
      const letter = await mail.letterTo(to);
      expect(letter.readers, what).toEqual([to]);
      expect([...letter.headers.keys()].toSorted(), what).toEqual([
        "auto-submitted",
        "content-type",
        "date",
        "from",
        "message-id",
        "mime-version",
        "subject",
        "to",
      ]);
      expect(letter.html.match(/<(?!\/?(html|body|p|a|!doctype)\b)/gi), what).toBeNull();
      expect(letter.text.match(/\w+:\/\/\S+/g), what).toEqual([facts().url]);
      expect(letter.text, what).not.toMatch(/[\p{Cf}\p{Zl}]/u);
    }
  });
});

describe("the mail server", () => {
  test("is signed in to, over TLS where it offers that", async () => {
    await using mail = await startMailServer({ authOptional: false });
    const url = mail.url.replace("//", "//ada%40example.com:right@");
    await using app = await testApp({ env: mailEnv({ url }) });
    await app.work();
    await send(app, "grace@example.com");
    expect(await mail.letterTo("grace@example.com")).toMatchObject({
      isEncrypted: true,
      user: "ada@example.com",
    });
  });

  const distrusted: [what: string, server: Parameters<typeof startMailServer>[0]][] = [
    ["speaks no TLS", { disabledCommands: ["STARTTLS"], authOptional: true }],
    ["cannot prove who it is", {}],
  ];
  test.each(distrusted)(
    "that %s gets neither password nor letter where TLS is required",
    async (_, server) => {
      const commands: string[] = [];
      await using mail = await startMailServer({
        ...server,
        onAuth: (_auth, _session, done) => {
          commands.push("auth");
          done(null, { user: "anybody" });
        },
        onMailFrom: (_address, _session, done) => {
          commands.push("mail");
          done();
        },
      });
      const url = mail.url.replace("//", "//ada:canary-pw@");
      await using app = await testApp({ env: { ...mailEnv({ url }), FETTLE_SMTP_TLS: "required" } });
      await app.work();
      await send(app, "grace@example.com");
      await vi.waitFor(async () => expect((await letterJobs(app))[0]).toMatchObject({ failures: 1 }), 60_000);
      expect(commands).toEqual([]);
    },
  );

  test("that never will take a letter is asked once, and one that is busy is asked again", async () => {
    let busy = true;
    const said = (code: number) => Object.assign(new Error("no"), { responseCode: code });
    const asked: string[] = [];
    await using mail = await startMailServer({
      onRcptTo: ({ address }, _session, done) => {
        asked.push(address);
        if (address.startsWith("gone")) return done(said(550));
        if (busy) return done(said(451));
        done();
      },
    });
    await using app = await testApp({ env: mailEnv(mail) });
    await app.work();
    await send(app, "gone@example.com");
    await send(app, "grace@example.com");
    await vi.waitFor(async () => {
      const states = (await letterJobs(app)).map(({ state, failures }) => `${state} ${failures}`);
      expect(states.toSorted()).toEqual(["parked 1", "waiting 1"]);
    }, 60_000);
    busy = false;
    await app.db.execute(
      sql`update jobs set run_after = now() where state = 'waiting' and name = ${sendLetterJob.name}`,
    );
    await mail.letterTo("grace@example.com");
    expect(asked.filter((address) => address.startsWith("gone"))).toHaveLength(1);
  });

  test("does not have its password, a letter's link or its reader written down when it refuses", async () => {
    const lines: string[] = [];
    const log = createLog({ level: "debug", format: "json", write: (line) => lines.push(line) });
    await using mail = await startMailServer({
      onAuth: (_auth, _session, done) => done(new Error("canary-user with canary-pw is unknown")),
    });
    const url = mail.url.replace("//", "//canary-user:canary-pw@");
    await using app = await testApp({ env: mailEnv({ url }), log });
    await app.work();
    await send(app, "canary-reader@example.com");
    await vi.waitFor(async () => expect((await letterJobs(app))[0]).toMatchObject({ failures: 1 }), 60_000);
    const { rows } = await app.db.execute(sql`select * from jobs`);
    expect(JSON.stringify(rows)).toContain("EAUTH (535)");
    expect(lines.join("")).toContain("EAUTH (535)");
    expect(JSON.stringify(rows) + lines.join("")).not.toMatch(/canary/);
  });
});

test("a letter whose process is killed while it is handed over arrives all the same, once", async () => {
  let isStuck = true;
  let offered = 0;
  await using mail = await startMailServer({
    onRcptTo: (_address, _session, done) => {
      offered += 1;
      // The first process waits here for an answer until it is killed.
      if (!isStuck) done();
    },
  });
  const database = await testDatabase();
  onTestFinished(() => database.close());
  const env = { ...mailEnv(mail), FETTLE_SECRET_KEY: "k".repeat(40) };
  await using app = await testApp({ env, database });
  const home = mkdtempSync(join(tmpdir(), "fettle-mail-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const startWorker = async () => {
    const worker = startProcess(join(import.meta.dirname, "..", "..", "testing", "app-worker.ts"), ["1500"], {
      env: { ...env, FETTLE_HOME: home, DATABASE_URL: database.url.reveal() },
    });
    onTestFinished(() => worker.kill().then(() => undefined));
    await worker.line(/^ready$/);
    return worker;
  };
  const first = await startWorker();
  await send(app, "grace@example.com");
  await vi.waitFor(() => expect(offered).toBe(1), 60_000);
  await first.kill("SIGKILL");
  isStuck = false;
  await startWorker();
  await mail.letterTo("grace@example.com");
  await vi.waitFor(async () => expect((await letterJobs(app))[0]).toMatchObject({ state: "done" }), 60_000);
  expect(mail.letters).toHaveLength(1);
});

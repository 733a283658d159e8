import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { silentLog } from "../../testing/index.ts";
import { processesNaming, startProcess, type TestProcess } from "../../testing/process.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { openDatabase } from "./open.ts";
import { firstClosedFolder } from "./unprivileged.ts";

const ownDatabase = join(import.meta.dirname, "..", "..", "testing", "own-database.ts");
const isRoot = process.getuid?.() === 0;

let dataFolder: string;
beforeAll(() => {
  dataFolder = mkdtempSync(join(tmpdir(), "fettle-embedded-"));
});
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));

const open = (folder = dataFolder, ownership: "own" | "attach" = "own") =>
  openDatabase({
    config: { database: { kind: "embedded" }, dataFolder: folder, databaseConnections: 3 },
    log: silentLog,
    ownership,
  });

/** A stopped database's folder copied with its owners, which is far cheaper than making another. */
function copyOf(folder: string, into = mkdtempSync(join(tmpdir(), "fettle-embedded-"))): string {
  execFileSync("cp", ["-a", join(folder, "postgres"), into]);
  return into;
}

async function ownedByChild(folder = dataFolder, identity = {}): Promise<TestProcess> {
  const child = startProcess(ownDatabase, [folder], identity);
  onTestFinished(() => child.kill());
  await child.line(/^ready$/);
  return child;
}

const postmasterPid = () =>
  Number(readFileSync(join(dataFolder, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
const nothingLeft = (folder = dataFolder) =>
  vi.waitFor(() => expect(processesNaming(folder)).toEqual([]), 60_000);

describe("the embedded database", () => {
  test("is made at the first start, found at the second, and leaves no process behind", async () => {
    // As left by a first start that was killed in the making.
    mkdirSync(join(dataFolder, "postgres.new-abc", "base"), { recursive: true });
    const first = await open();
    expect(readdirSync(dataFolder)).not.toContain("postgres.new-abc");
    await first.db.execute(sql`create table kept (n int)`);
    await first.db.execute(sql`insert into kept values (7)`);
    await first.close();
    const second = await open();
    expect((await second.db.execute(sql`select n from kept`)).rows).toEqual([{ n: 7 }]);
    await second.close();
    await nothingLeft();
  });

  test("listens on no network address", async () => {
    const database = await open();
    expect((await database.db.execute(sql`show listen_addresses`)).rows).toEqual([{ listen_addresses: "" }]);
    await database.close();
  });

  test("refuses a second owner of the folder, naming the first", async () => {
    const child = await ownedByChild();
    await expect(open()).rejects.toMatchObject({
      code: "DATA_FOLDER_IN_USE",
      message: expect.stringContaining(`process ${child.pid}`),
      hint: expect.stringContaining("DATABASE_URL"),
    });
    child.child.stdin.end();
    expect(await child.exited).toBe(0);
    await nothingLeft();
  });

  test("can be attached to while its owner runs, and says so when none does", async () => {
    await expect(open(dataFolder, "attach")).rejects.toMatchObject({ code: "DATABASE_NOT_RUNNING" });
    const child = await ownedByChild();
    const attached = await open(dataFolder, "attach");
    expect((await attached.db.execute(sql`select n from kept`)).rows).toEqual([{ n: 7 }]);
    await attached.close();
    await child.kill("SIGKILL");
  });

  test("ends by itself when its owner is killed, and starts cleanly after", async () => {
    const child = await ownedByChild();
    await child.kill("SIGKILL");
    await nothingLeft();
    await (await open()).close();
  });

  test("is replaced when a killed owner's server still runs because its guard was killed too", async () => {
    const child = await ownedByChild();
    const orphan = postmasterPid();
    const guard = processesNaming(dataFolder).find(({ command }) =>
      command.includes("fettle-postgres-guard"),
    )!;
    process.kill(guard.pid, "SIGKILL");
    await child.kill("SIGKILL");
    expect(processesNaming(dataFolder).map(({ pid }) => pid)).toContain(orphan);
    const database = await open();
    expect(postmasterPid()).not.toBe(orphan);
    await database.close();
    await nothingLeft();
  });

  test("is started again when it is killed, and loses nothing acknowledged", async () => {
    const database = await open();
    await database.db.execute(sql`insert into kept values (8)`);
    const killed = postmasterPid();
    process.kill(killed, "SIGKILL");
    // The pool waits for the restart; only what was in flight may fail.
    await vi.waitFor(async () => {
      const { rows } = await database.db.execute(sql`select count(*)::int as n from kept where n = 8`);
      expect(rows).toEqual([{ n: 1 }]);
      expect(postmasterPid()).not.toBe(killed);
    }, 60_000);
    await database.close();
    await nothingLeft();
  });

  test("starts although its pid file names a living process that is somebody else", async () => {
    const pidFile = join(dataFolder, "postgres", "postmaster.pid");
    writeFileSync(pidFile, `${process.ppid}\n${join(dataFolder, "postgres")}\n1\n5432\n\n\n\nready\n`);
    if (isRoot) chownSync(pidFile, 65_534, 65_534);
    await (await open()).close();
  });

  test("works in a folder whose path is too long for a socket", async () => {
    const top = mkdtempSync(join(tmpdir(), "fettle-embedded-"));
    const folder = join(top, "d".repeat(60), "e".repeat(60));
    mkdirSync(folder, { recursive: true });
    copyOf(dataFolder, folder);
    const database = await open(folder);
    expect((await database.db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
    await database.close();
    await nothingLeft(top);
    rmSync(top, { recursive: true });
  });

  test.runIf(isRoot).each([
    ["others may pass through", 0o711],
    ["is closed to others", 0o700],
  ])("runs as an unprivileged user when we are root and the folder %s", async (_, mode) => {
    const folder = copyOf(dataFolder);
    chmodSync(folder, mode);
    const database = await open(folder);
    const server = processesNaming(folder).find(({ command }) => /bin\/postgres/.test(command))!;
    expect(readFileSync(`/proc/${server.pid}/status`, "utf8")).toMatch(/^Uid:\s+65534\s/m);
    await database.close();
    await nothingLeft(folder);
    rmSync(folder, { recursive: true });
  });

  test.runIf(isRoot)(
    "is made and kept behind a folder that is closed to others, and lent no capability",
    async () => {
      const closed = temporaryFolder();
      const folder = join(closed, "data");
      const database = await open(folder);
      await database.db.execute(sql`create table kept as select 7 as n`);
      const server = processesNaming(folder).find(({ command }) => /bin\/postgres/.test(command))!;
      const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
      expect(status).toMatch(/^Uid:\s+65534\s/m);
      expect(status).toMatch(/^CapEff:\s+0+$/m);
      process.kill(server.pid, "SIGKILL");
      await vi.waitFor(async () => {
        expect((await database.db.execute(sql`select n from kept`)).rows).toEqual([{ n: 7 }]);
      }, 60_000);
      await database.close();
      await nothingLeft(folder);
    },
  );

  // Somebody else cannot run our sources from a checkout that is closed to them.
  const isCheckoutOpen = firstClosedFolder(import.meta.dirname) === undefined;
  test.runIf(isRoot && isCheckoutOpen)("runs as ourselves when we are not root", async () => {
    const folder = copyOf(dataFolder);
    chownSync(folder, 65_534, 65_534);
    const child = await ownedByChild(folder, { uid: 65_534, gid: 65_534 });
    child.child.stdin.end();
    expect(await child.exited, child.output()).toBe(0);
    await nothingLeft(folder);
    rmSync(folder, { recursive: true });
  });
});

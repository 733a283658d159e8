import { McpError } from "@fettle/mcp";
import { DrizzleQueryError } from "drizzle-orm/errors";
import pg from "pg";
import { expect, test } from "vitest";
import { failureOf } from "../../http/errors.ts";
import { outageOf } from "./outage.ts";
import { DatabaseSilent } from "./query-timeout.ts";

function ofServer(code: string, message = "as PostgreSQL says it"): Error {
  return Object.assign(new pg.DatabaseError(message, 0, "error"), { code });
}
const ofSystem = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall });

test.each([
  ["a full disk", ofServer("53100"), "disk_full"],
  ["a full disk of our own", ofSystem("ENOSPC", "write"), "disk_full"],
  ["a used-up quota", ofSystem("EDQUOT", "write"), "disk_full"],
  ["a standby", ofServer("25006"), "read_only"],
  [
    "a disk that turned read-only",
    ofServer("42501", "could not open file: Read-only file system"),
    "read_only",
  ],
  ["a disk of our own that did", ofSystem("EROFS", "open"), "read_only"],
  ["a disk that fails", ofServer("58030"), "database_down"],
  ["no memory left", ofServer("53200"), "database_down"],
  ["no connection left", ofServer("53300"), "database_down"],
  ["a server that goes down", ofServer("57P01"), "database_down"],
  ["a server that starts", ofServer("57P03"), "database_down"],
  ["a statement that took too long", ofServer("57014"), "database_down"],
  ["a refused connection", ofSystem("ECONNREFUSED", "connect"), "database_down"],
  ["a socket that is not there", ofSystem("ENOENT", "connect"), "database_down"],
  ["a connection that broke", new Error("Connection terminated unexpectedly"), "database_down"],
  [
    "a connection that is not made in time",
    new DatabaseSilent("nothing", new Error("Connection terminated unexpectedly")),
    "database_down",
  ],
  [
    "any of these below the query layer",
    new DrizzleQueryError("select 1", [], ofServer("53100")),
    "disk_full",
  ],
])("%s is an outage", (_, error, reason) => {
  expect(outageOf(error)).toBe(reason);
  const { status, body, headers } = failureOf(error, "req_1");
  expect({ status, code: body.code, details: body.details }).toEqual({
    status: 503,
    code: "UNAVAILABLE",
    details: { reason, requestId: "req_1" },
  });
  expect(Number(headers?.["retry-after"])).toBeGreaterThan(0);
  expect(body.message).toContain("whoever runs this service");
});

test.each([
  ["a broken rule of the tables", ofServer("23505")],
  ["a statement that is wrong", ofServer("42601")],
  ["a right that is missing", ofServer("42501", "permission denied for table servers")],
  ["a file that is missing", ofSystem("ENOENT", "open")],
  [
    "another server that refuses us",
    new McpError("CONNECTION_REFUSED", "no", { cause: ofSystem("ECONNREFUSED", "connect") }),
  ],
  [
    "another server that cannot be fetched from",
    new TypeError("fetch failed", { cause: ofSystem("ECONNRESET", "read") }),
  ],
  ["a mistake of ours", new TypeError("undefined is not a function")],
])("%s is none", (_, error) => {
  expect(outageOf(error)).toBeUndefined();
  expect(failureOf(error, "req_1").status).toBe(500);
});

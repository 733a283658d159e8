/** @module Rewrites the part of docs/self-hosting.md that the options say, and which room binds which operation. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withOptionTable } from "../src/core/config/options-document.ts";
import { operationRooms } from "../src/start/bindings.ts";

const path = join(import.meta.dirname, "..", "..", "..", "docs", "self-hosting.md");
writeFileSync(path, withOptionTable(readFileSync(path, "utf8")));

const rooms = join(import.meta.dirname, "..", "generated", "operation-rooms.ts");
writeFileSync(rooms, await operationRooms());

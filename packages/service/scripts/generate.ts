/** @module Rewrites the part of docs/self-hosting.md that the options say. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withOptionTable } from "../src/core/config/options-document.ts";

const path = join(import.meta.dirname, "..", "..", "..", "docs", "self-hosting.md");
writeFileSync(path, withOptionTable(readFileSync(path, "utf8")));

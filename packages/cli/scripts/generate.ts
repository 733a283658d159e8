/** @module Rewrites the committed files that are made from the registries of commands and checks: `npm run generate`. */
import { writeFileSync } from "node:fs";
import { tree } from "../src/commands/index.ts";
import { checkReference } from "../src/conformance/check-reference.ts";
import { commandReference } from "../src/program/reference.ts";

writeFileSync(new URL("../../../docs/cli.md", import.meta.url), commandReference(tree));
writeFileSync(new URL("../../../docs/conformance-checks.md", import.meta.url), checkReference());

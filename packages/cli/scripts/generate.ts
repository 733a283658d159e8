/** @module Rewrites the committed file that is made from the command registry: `npm run generate`. */
import { writeFileSync } from "node:fs";
import { commandReference } from "../src/program/reference.ts";
import { tree } from "../src/registry/registry.ts";

writeFileSync(new URL("../../../docs/cli.md", import.meta.url), commandReference(tree));

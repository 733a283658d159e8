/** @module Rewrites the committed files that are made from the operations: `npm run generate`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { generatedFiles } from "../src/document/generated-files.ts";

const folder = new URL("../generated/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, content] of Object.entries(generatedFiles())) writeFileSync(new URL(name, folder), content);

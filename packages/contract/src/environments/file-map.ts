/** @module Files sent together: each one's content in base64, by its path inside the bundle. */
import { z } from "zod";
import { limits } from "../core/limits/limits.ts";

export const FileMap = z
  .record(z.string().min(1).max(limits.bundles.pathLength), z.base64())
  .refine((files) => Object.keys(files).length <= limits.bundles.files, "Too many files.")
  .describe("Base64 by path, such as SKILL.md or skills/greet/SKILL.md")
  .meta({ id: "FileMap" });
export type FileMap = z.output<typeof FileMap>;

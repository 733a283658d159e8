/** @module Reads the skills that a server offers by its extension, no more of them than a publisher would take. */
import { readinessLimits } from "@fettle/contract/servers";
import { asMcpError, type Connection, isObject, type JsonObject } from "@fettle/mcp";
import type { ImportedSkill, SkillsReading } from "./evidence.ts";
import { skillsExtension } from "./openai/skill-rules.ts";

const caps = readinessLimits.importedSkills;

export async function observeSkills(
  connection: Connection,
  signal: AbortSignal | undefined,
): Promise<SkillsReading> {
  const { extensions } = connection.capabilities;
  if (!isObject(extensions) || !(skillsExtension in extensions)) return { unadvertised: true };
  const ask = async (method: string, params: JsonObject): Promise<JsonObject> => {
    const result: unknown = await connection.request(method, params, signal ? { signal } : {});
    return isObject(result) ? result : {};
  };
  try {
    const listed: JsonObject[] = [];
    let cursor: unknown;
    for (let page = 0; page < caps.pages; page += 1) {
      const answer = await ask("skills/list", typeof cursor === "string" ? { cursor } : {});
      listed.push(...(Array.isArray(answer.skills) ? answer.skills.filter(isObject) : []));
      cursor = answer.nextCursor;
      if (typeof cursor !== "string") break;
    }
    const skills: ImportedSkill[] = [];
    // One more than is taken shows that there are too many; their contents are nobody's business then.
    for (const each of listed.slice(0, caps.count + 1)) skills.push(await readSkill(each, ask));
    return { skills, truncated: typeof cursor === "string" };
  } catch (error) {
    if (signal?.aborted) throw error;
    return { fault: asMcpError(error).message };
  }
}

async function readSkill(
  listed: JsonObject,
  ask: (method: string, params: JsonObject) => Promise<JsonObject>,
): Promise<ImportedSkill> {
  const name = typeof listed.name === "string" ? listed.name : "(no name)";
  const skill: ImportedSkill = { name, listed, pages: 0, largestPageBytes: 0 };
  const files: Record<string, string> = {};
  let cursor: unknown;
  let total = 0;
  try {
    do {
      const answer = await ask("skills/get", { name, ...(typeof cursor === "string" && { cursor }) });
      const bytes = Buffer.byteLength(JSON.stringify(answer));
      total += bytes;
      skill.pages += 1;
      skill.largestPageBytes = Math.max(skill.largestPageBytes, bytes);
      for (const file of Array.isArray(answer.files) ? answer.files.filter(isObject) : []) {
        if (typeof file.path === "string" && typeof file.text === "string") {
          files[file.path] = (files[file.path] ?? "") + file.text;
        }
      }
      cursor = answer.nextCursor;
    } while (typeof cursor === "string" && skill.pages <= caps.pages && total <= 2 * caps.skillBytes);
  } catch (error) {
    return { ...skill, fault: asMcpError(error).message };
  }
  return files["SKILL.md"] === undefined
    ? { ...skill, files, fault: "there is no SKILL.md" }
    : { ...skill, files };
}

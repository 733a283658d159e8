/** @module Skills that the OpenAI directory imports from a server. */
import { createHash } from "node:crypto";
import { readinessLimits } from "@fettle/contract/servers";
import type { ImportedSkill, ReadinessEvidence } from "../evidence.ts";
import { readFrontMatter } from "../package/texts.ts";
import {
  informational,
  notApplicable,
  notEvaluated,
  type ReadinessRule,
  type ReadinessVerdict,
  satisfied,
  verdictOf,
  violated,
} from "../rule.ts";
import { rulesOf } from "../shared-rules.ts";
import { openaiSource } from "./source.ts";

export const skillsExtension = "io.modelcontextprotocol/skills";

const caps = readinessLimits.importedSkills;

/** Judges the skills themselves, when they are to be imported and could be read. */
function ofSkills(judge: (skills: ImportedSkill[], isWhole: boolean) => ReadinessVerdict) {
  return ({ submissionMode, server }: ReadinessEvidence): ReadinessVerdict => {
    if (submissionMode !== "mcp-imported-skills") return notImported;
    const seen = server?.skills;
    if (!seen || "fault" in seen) {
      return notEvaluated("importedSkills", seen && "fault" in seen ? seen.fault : "No skill was read.");
    }
    if ("unadvertised" in seen) return notEvaluated("importedSkills", "The server offers no skills.");
    return judge(seen.skills, !seen.truncated);
  };
}

const notImported = notApplicable("Skills are not imported from the server.");
const markdownOf = ({ files = {} }: ImportedSkill) => files["SKILL.md"];
const bytesOf = (text: string) => Buffer.byteLength(text);
const sizeOf = ({ files = {} }: ImportedSkill) =>
  Object.values(files).reduce((sum, text) => sum + bytesOf(text), 0);

export const openaiSkillRules: readonly ReadinessRule[] = rulesOf(
  {
    lane: "runtime-compatibility",
    class: "required",
    provenance: "wire",
    intrusiveness: "read-only",
    source: openaiSource("skills", "Skills from an MCP server"),
  } as const,
  [
    {
      id: "openai.skills.extension",
      title: `The server advertises ${skillsExtension}`,
      judge: ({ submissionMode, server }) => {
        if (submissionMode !== "mcp-imported-skills") return notImported;
        if (!server?.skills) return notEvaluated("importedSkills", server?.unconnected ?? "Nobody looked.");
        return "unadvertised" in server.skills
          ? violated(`Its capabilities have no extension ${skillsExtension}.`)
          : satisfied();
      },
    },
    {
      id: "openai.skills.listing-complete",
      title: "Every skill that is listed can be read",
      judge: ofSkills((skills, isWhole) => {
        if (!isWhole) return notEvaluated("importedSkills", "The list of skills was not read to its end.");
        if (skills.length === 0) return violated("skills/list is empty.");
        return verdictOf(
          skills.flatMap(({ name, fault }) => (fault === undefined ? [] : [`${name}: ${fault}`])),
        );
      }),
    },
    {
      id: "openai.skills.caps",
      title: "Skills are few and small enough",
      judge: ofSkills((skills) => {
        const total = skills.reduce((sum, skill) => sum + sizeOf(skill), 0);
        return verdictOf([
          ...(skills.length > caps.count
            ? [`There are ${skills.length} skills; ${caps.count} are allowed.`]
            : []),
          ...(total > caps.totalBytes ? [`All together have ${total} bytes.`] : []),
          ...skills.flatMap((skill) => [
            ...(bytesOf(markdownOf(skill) ?? "") > caps.markdownBytes
              ? [`${skill.name}: SKILL.md has more than ${caps.markdownBytes} bytes.`]
              : []),
            ...(sizeOf(skill) > caps.skillBytes
              ? [`${skill.name} has more than ${caps.skillBytes} bytes.`]
              : []),
            ...(skill.pages > caps.pages ? [`${skill.name} takes more than ${caps.pages} pages.`] : []),
            ...(skill.largestPageBytes > caps.pageBytes
              ? [`${skill.name}: a page has more than ${caps.pageBytes} bytes.`]
              : []),
          ]),
        ]);
      }),
    },
    {
      id: "openai.skills.digests",
      title: "A digest that is given fits the skill",
      judge: ofSkills((skills) =>
        verdictOf(
          skills.flatMap((skill) => {
            const { digest } = skill.listed;
            const markdown = markdownOf(skill);
            if (digest === undefined || markdown === undefined) return [];
            const own = createHash("sha256").update(markdown).digest("hex");
            return String(digest).replace(/^sha256[:-]/, "") === own
              ? []
              : [`${skill.name}: the digest is of another text.`];
          }),
        ),
      ),
    },
    {
      id: "openai.skills.frontmatter",
      title: "Every SKILL.md says its name and what it is for",
      judge: ofSkills((skills) =>
        verdictOf(
          skills.flatMap((skill) => {
            const markdown = markdownOf(skill);
            return markdown === undefined ? [] : frontMatterFaults(skill.name, markdown);
          }),
        ),
      ),
    },
    {
      id: "openai.skills.snapshot",
      title: "What is imported is a copy of this moment",
      class: "manual-review",
      provenance: "manual",
      judge: ofSkills(() => informational("Import again after every change of a skill.")),
    },
  ],
);

export function frontMatterFaults(where: string, markdown: string): string[] {
  const front = readFrontMatter(markdown);
  if (!front.ok) return [`${where}: ${front.why}.`];
  const { name, description } = front.fields;
  const most = readinessLimits.package.skillNameLength;
  return [
    ...(typeof name !== "string" || name.trim() === ""
      ? [`${where}: there is no name.`]
      : name.length > most
        ? [`${where}: the name has ${name.length} characters; ${most} are allowed.`]
        : []),
    ...(typeof description === "string" && description.trim() !== ""
      ? []
      : [`${where}: there is no description.`]),
  ];
}

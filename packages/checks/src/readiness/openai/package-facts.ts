/** @module What rules ask of a package: its manifest, its skills, and the pictures it names. */
import { isObject, type JsonObject } from "@fettle/mcp";
import type { ReadinessEvidence } from "../evidence.ts";
import type { PackageReading } from "../package/package-reading.ts";
import { decoded, readFrontMatter, readJson, readYaml, type TextReading } from "../package/texts.ts";
import { notApplicable, notEvaluated, type ReadinessVerdict } from "../rule.ts";
import { modeParts } from "./modes.ts";

/** The first that is there counts. */
export const manifestPaths = [
  "plugin.json",
  // For compatibility, as are those behind it.
  ".codex-plugin/plugin.json",
  ".agent-plugin/plugin.json",
  ".claude-plugin/plugin.json",
] as const;

export interface SkillFile {
  path: string;
  folder: string;
  front: TextReading;
  text: string;
}

export interface AgentFile {
  path: string;
  folder: string;
  reading: TextReading;
}

/** What is there and could not be read is not missing: the encryption has a finding of its own. */
export function isLocked({ entries }: PackageReading, name: RegExp): boolean {
  return entries.some(({ path, isEncrypted }) => isEncrypted === true && name.test(path));
}

export interface PackageFacts {
  reading: PackageReading;
  manifestPath: string | undefined;
  manifest: TextReading | undefined;
  skills: SkillFile[];
  agents: AgentFile[];
  /** Named by the manifest or by a skill's settings, with where. */
  assets: { from: string; path: string }[];
}

export function packageFacts(reading: PackageReading): PackageFacts {
  const { files } = reading;
  const manifestPath = manifestPaths.find((path) => files.has(path));
  const manifest = manifestPath === undefined ? undefined : readManifest(files, manifestPath);
  const skills = [...files].flatMap(([path, content]): SkillFile[] => {
    if (!/(?:^|\/)SKILL\.md$/.test(path)) return [];
    const text = decoded(content) ?? "";
    return [{ path, folder: path.replace(/\/?SKILL\.md$/, ""), front: readFrontMatter(text), text }];
  });
  const agents = [...files].flatMap(([path, content]): AgentFile[] =>
    /(?:^|\/)agents\/openai\.ya?ml$/.test(path)
      ? [
          {
            path,
            folder: path.replace(/\/?agents\/openai\.ya?ml$/, ""),
            reading: readYaml(decoded(content) ?? ""),
          },
        ]
      : [],
  );
  return { reading, manifestPath, manifest, skills, agents, assets: assetsOf(manifest, agents) };
}

/** What is for OpenAI alone stands in an extension of a portable manifest; without one, the manifest that is kept for compatibility adds it. */
function readManifest(files: PackageReading["files"], path: string): TextReading | undefined {
  const read = readAt(files, path);
  if (!read?.ok) return read;
  const { fields } = read;
  const own = isObject(fields.extensions) ? fields.extensions["com.openai"] : undefined;
  if (isObject(own)) return { ok: true, fields: { ...fields, ...own } };
  const kept = fields.interface === undefined ? readAt(files, manifestPaths[1]) : undefined;
  return kept?.ok ? { ok: true, fields: { ...kept.fields, ...fields } } : read;
}

function readAt(files: PackageReading["files"], path: string): TextReading | undefined {
  const bytes = files.get(path);
  return bytes && readJson(bytes);
}

function assetsOf(manifest: TextReading | undefined, agents: readonly AgentFile[]) {
  const own = interfaceOf(manifest);
  const named = (from: string, below: string, value: unknown) =>
    typeof value === "string" && !/^https?:/.test(value)
      ? [{ from, path: [below, value.replace(/^\.\//, "")].filter(Boolean).join("/") }]
      : [];
  return [
    ...["composerIcon", "logo", "logoDark"].flatMap((key) => named(`interface.${key}`, "", own[key])),
    ...agents.flatMap(({ path, folder, reading }) => {
      const fields = interfaceOf(reading);
      return ["icon_small", "icon_large"].flatMap((key) => named(`${path} ${key}`, folder, fields[key]));
    }),
  ];
}

export function interfaceOf(reading: TextReading | undefined): JsonObject {
  return reading?.ok && isObject(reading.fields.interface) ? reading.fields.interface : {};
}

/** A mode without a package has no such lane, so no one asks; a package that cannot be read says nothing of its contents. */
export function ofPackage(judge: (facts: PackageFacts, evidence: ReadinessEvidence) => ReadinessVerdict) {
  return (evidence: ReadinessEvidence): ReadinessVerdict => {
    const { package: reading, submissionMode = "skills-only" } = evidence;
    if (!modeParts[submissionMode].package) return notApplicable("No package is submitted.");
    if (!reading) return notEvaluated("pluginBundle", "No package was given.");
    if (reading.stopped)
      return notEvaluated("pluginBundle", `It was not read to its end: ${reading.stopped.why}`);
    return judge(packageFacts(reading), evidence);
  };
}

/** Judges what the manifest says. */
export function ofManifest(
  judge: (manifest: JsonObject, own: JsonObject, facts: PackageFacts) => ReadinessVerdict,
) {
  return ofPackage((facts) =>
    facts.manifest?.ok
      ? judge(facts.manifest.fields, interfaceOf(facts.manifest), facts)
      : notEvaluated("pluginBundle", "There is no manifest to read."),
  );
}

/** Judges what stands in settings of skills, when there are any. */
export function ofAgents(judge: (agents: { path: string; own: JsonObject }[]) => ReadinessVerdict) {
  return ofPackage(({ agents }) => {
    const read = agents.flatMap(({ path, reading }) =>
      reading.ok ? [{ path, own: interfaceOf(reading) }] : [],
    );
    return read.length === 0 ? notApplicable("There is no agents/openai.yaml.") : judge(read);
  });
}

/** @module What the portal refuses in a package's skills and pictures, and in what was made for another host. */
import { readinessLimits } from "@fettle/contract/servers";
import { isObject, type JsonObject } from "@fettle/mcp";
import { type PictureReading, readPicture } from "../package/picture.ts";
import { decoded, readJson } from "../package/texts.ts";
import {
  notApplicable,
  notEvaluated,
  type ReadinessRule,
  type ReadinessVerdict,
  satisfied,
  verdictOf,
  violated,
} from "../rule.ts";
import { rulesOf } from "../shared-rules.ts";
import { isLocked, ofPackage, type PackageFacts, type SkillFile } from "./package-facts.ts";
import { packageRule } from "./package-rules.ts";
import { openaiSource } from "./source.ts";

const caps = readinessLimits.package;

const ofSkillFiles = (judge: (skills: SkillFile[]) => ReadinessVerdict) =>
  ofPackage(({ skills }) => (skills.length === 0 ? notApplicable("There are no skills.") : judge(skills)));

const fieldFaults = (faultOf: (fields: Record<string, unknown>, path: string) => string | undefined) =>
  ofSkillFiles((skills) => {
    const read = skills.flatMap(({ path, front }) => (front.ok ? [{ path, fields: front.fields }] : []));
    if (read.length === 0) return notEvaluated("pluginBundle", "No front matter could be read.");
    return verdictOf(read.flatMap(({ path, fields }) => faultOf(fields, path) ?? []));
  });

const skillRules = rulesOf({ ...packageRule, source: openaiSource("skills", "SKILL.md") }, [
  {
    id: "openai.package.skills-present",
    title: "A package of skills has one",
    judge: ofPackage(({ skills, reading }) => {
      if (skills.length > 0) return satisfied();
      return isLocked(reading, /(?:^|\/)SKILL\.md$/)
        ? notEvaluated("pluginBundle", "The skills are encrypted.")
        : violated("There is no SKILL.md.");
    }),
  },
  {
    id: "openai.package.skill-front-matter",
    title: "Every SKILL.md begins with front matter",
    judge: ofSkillFiles((skills) =>
      verdictOf(skills.flatMap(({ path, front }) => (front.ok ? [] : [`${path}: ${front.why}.`]))),
    ),
  },
  {
    id: "openai.package.skill-name",
    title: "Every skill has a name",
    judge: fieldFaults(({ name }, path) =>
      typeof name === "string" && name.trim() !== "" ? undefined : `${path} has no name.`,
    ),
  },
  {
    id: "openai.package.skill-name-length",
    title: `Names of skills have at most ${caps.skillNameLength} characters`,
    judge: fieldFaults(({ name }, path) =>
      typeof name === "string" && name.length > caps.skillNameLength
        ? `${path}: the name has ${name.length} characters.`
        : undefined,
    ),
  },
  {
    id: "openai.package.skill-description",
    title: "Every skill says what it is for",
    judge: fieldFaults(({ description }, path) =>
      typeof description === "string" && description.trim() !== ""
        ? undefined
        : `${path} has no description.`,
    ),
  },
  {
    id: "openai.package.skill-name-unique",
    title: "No two skills have one name",
    judge: ofSkillFiles((skills) => {
      const named = Map.groupBy(
        skills.flatMap(({ path, front }) => (front.ok ? [{ path, name: String(front.fields.name) }] : [])),
        ({ name }) => name.toLowerCase(),
      );
      return verdictOf(
        [...named].flatMap(([name, all]) =>
          all.length > 1 ? [`${name} is the name of ${all.map(({ path }) => path).join(" and ")}.`] : [],
        ),
      );
    }),
  },
]);

interface NamedPicture {
  from: string;
  path: string;
  bytes: number;
  picture: PictureReading | undefined;
}

function picturesOf({ assets, reading }: PackageFacts): NamedPicture[] {
  return assets.flatMap(({ from, path }) => {
    const entry = reading.entries.find((each) => each.path === path || each.path.endsWith(`/${path}`));
    const kept = reading.files.get(path);
    return entry ? [{ from, path, bytes: entry.bytes, picture: kept && readPicture(kept) }] : [];
  });
}

/** Judges the pictures that are there; which are missing is a rule of its own. */
const ofPictures = (faultOf: (named: NamedPicture) => string | undefined) =>
  ofPackage((facts) => {
    const pictures = picturesOf(facts);
    if (pictures.length === 0) return notApplicable("The package names no picture that is in it.");
    return verdictOf(pictures.flatMap((named) => faultOf(named) ?? []));
  });

const ofSizes = (faultOf: (size: { width: number; height: number }, path: string) => string | undefined) =>
  ofPictures(({ path, picture }) => (picture && "width" in picture ? faultOf(picture, path) : undefined));

const assetRules = rulesOf({ ...packageRule, source: openaiSource("plugins", "Assets") }, [
  {
    id: "openai.package.asset-present",
    title: "Every picture that is named is in the package",
    judge: ofPackage((facts) => {
      if (facts.assets.length === 0) return notApplicable("The package names no picture.");
      const there = new Set(picturesOf(facts).map(({ path }) => path));
      return verdictOf(
        facts.assets.flatMap(({ from, path }) => (there.has(path) ? [] : [`${from}: ${path} is not there.`])),
      );
    }),
  },
  {
    id: "openai.package.asset-bytes",
    title: "Pictures are small enough",
    judge: ofPictures(({ path, bytes }) =>
      bytes > caps.asset.bytes ? `${path} has ${bytes} bytes.` : undefined,
    ),
  },
  {
    id: "openai.package.asset-type",
    title: "Pictures are PNG, JPEG, WebP or SVG",
    judge: ofPictures(({ path, picture }) =>
      picture?.kind === "other" ? `${path} is none of them.` : undefined,
    ),
  },
  {
    id: "openai.package.asset-decodable",
    title: "Pictures are whole",
    judge: ofPictures(({ path, picture }) =>
      picture && "fault" in picture && picture.kind !== "svg" ? `${path}: ${picture.fault}.` : undefined,
    ),
  },
  {
    id: "openai.package.svg-dimensions",
    title: "An SVG says how large it is",
    judge: ofPictures(({ path, picture }) =>
      picture?.kind === "svg" && "fault" in picture ? `${path}: ${picture.fault}.` : undefined,
    ),
  },
  {
    id: "openai.package.asset-square",
    title: "Pictures are square",
    judge: ofSizes(({ width, height }, path) =>
      width === height ? undefined : `${path} has ${width} × ${height} px.`,
    ),
  },
  {
    id: "openai.package.asset-min-pixels",
    title: `Pictures have at least ${caps.asset.minPixels} px`,
    judge: ofSizes(({ width, height }, path) =>
      Math.min(width, height) < caps.asset.minPixels ? `${path} has ${width} × ${height} px.` : undefined,
    ),
  },
  {
    id: "openai.package.asset-max-pixels",
    title: `Pictures have at most ${caps.asset.maxPixels} px`,
    judge: ofSizes(({ width, height }, path) =>
      Math.max(width, height) > caps.asset.maxPixels ? `${path} has ${width} × ${height} px.` : undefined,
    ),
  },
]);

/** What other hosts' plugins have and this one's do not. */
const unsupportedSurfaces = ["commands/", "output-styles/", "statusline/", ".lsp.json"];

const migrationRules = rulesOf({ ...packageRule, source: openaiSource("migration", "What is supported") }, [
  {
    id: "openai.migration.unsupported-surfaces",
    title: "Nothing in it is for another host alone",
    judge: ofPackage(({ reading }) =>
      verdictOf(
        unsupportedSurfaces.flatMap((surface) => {
          const found = [...reading.files.keys()].find(
            (path) => path === surface || path.startsWith(surface),
          );
          return found === undefined ? [] : [`${found} is not read there.`];
        }),
      ),
    ),
  },
  {
    id: "openai.migration.user-config",
    title: "Nothing waits for a setting that nobody asks for",
    judge: ofPackage(({ reading }) =>
      verdictOf(
        [...reading.files].flatMap(([path, bytes]) => {
          const found = /\$\{user_config\.[^}]*\}/.exec(decoded(bytes) ?? "");
          return found ? [`${path} holds ${found[0]}.`] : [];
        }),
      ),
    ),
  },
  {
    id: "openai.migration.stdio-transport",
    title: "Servers that are started by a command are agreed on with OpenAI",
    class: "by-agreement",
    remediation:
      "Give the server a url, or ask OpenAI to approve your organization: then it runs in the desktop app alone.",
    source: openaiSource("desktopOnly", "Configure a local MCP server", {
      page: "migration",
      says: "Servers are reached over HTTP; a command is not started.",
    }),
    judge: ofPackage((facts) =>
      verdictOf(
        serverEntriesOf(facts).flatMap(([name, server]) =>
          "command" in server || server.type === "stdio" ? [`${name} is started by a command.`] : [],
        ),
      ),
    ),
  },
  {
    id: "openai.migration.mcpb",
    title: "There is no bundle for a desktop in it",
    judge: ofPackage(({ reading }) =>
      verdictOf(
        reading.entries.flatMap(({ path }) =>
          /\.(?:mcpb|dxt)$/i.test(path) ? [`${path} is not read.`] : [],
        ),
      ),
    ),
  },
  {
    id: "openai.migration.host-language",
    title: "Its texts speak of no other host",
    lane: "experience-insights",
    class: "heuristic",
    judge: ofPackage(({ skills }) =>
      verdictOf(
        skills.flatMap(({ path, text }) => {
          const found = /\b(?:Claude(?: Code| Desktop)?|Anthropic|CLAUDE\.md)\b/.exec(text);
          return found ? [`${path} speaks of ${found[0]}.`] : [];
        }),
      ),
    ),
  },
]);

/** The servers in the package's files and in its manifest, by name. */
function serverEntriesOf({ reading, manifest }: PackageFacts): [string, JsonObject][] {
  const own = manifest?.ok ? manifest.fields.mcpServers : undefined;
  const named = typeof own === "string" ? [own.replace(/^\.\//, "")] : [];
  const files = new Set(["mcp.json", ".mcp.json", ...named]);
  const filed = [...files].flatMap((path) => {
    const bytes = reading.files.get(path);
    const read = bytes && readJson(bytes);
    return read?.ok ? [read.fields.mcpServers ?? read.fields] : [];
  });
  return [...filed, own].flatMap((group) =>
    isObject(group)
      ? Object.entries(group).filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
      : [],
  );
}

export const openaiContentRules: readonly ReadinessRule[] = [...skillRules, ...assetRules, ...migrationRules];

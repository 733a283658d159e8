/** @module What the portal refuses in an uploaded package: the archive, the manifest and how the plugin presents itself. */
import { readinessLimits } from "@fettle/contract/servers";
import type { ReadinessEvidence } from "../evidence.ts";
import { type PackageReading, type PackageStop, pathFaults } from "../package/package-reading.ts";
import { contrast } from "../package/texts.ts";
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
import { isLocked, manifestPaths, ofAgents, ofManifest, ofPackage } from "./package-facts.ts";
import { openaiSource } from "./source.ts";

const caps = readinessLimits.package;

export const packageRule = {
  lane: "plugin-package",
  class: "required",
  provenance: "static",
  intrusiveness: "passive",
} as const;

/** Judges the archive as far as it was read: what stops the reading has a rule of its own. */
function ofArchive(judge: (reading: PackageReading) => ReadinessVerdict) {
  return ({ package: reading }: ReadinessEvidence): ReadinessVerdict =>
    reading ? judge(reading) : notEvaluated("pluginBundle", "No package was given.");
}

const unlessStopped = (by: PackageStop) =>
  ofArchive(({ stopped }) => {
    if (stopped?.by === by) return violated(stopped.why);
    return stopped ? notEvaluated("pluginBundle", stopped.why) : satisfied();
  });

const noEntry = (what: string, isFault: (entry: PackageReading["entries"][number]) => boolean) =>
  ofArchive(({ entries, stopped }) => {
    const faults = entries.filter(isFault).map(({ path }) => `${JSON.stringify(path)} ${what}.`);
    if (faults.length === 0 && stopped) return notEvaluated("pluginBundle", stopped.why);
    return verdictOf(faults);
  });

const archiveRules = rulesOf({ ...packageRule, source: openaiSource("plugins", "Package") }, [
  {
    id: "openai.package.archive",
    title: "The package can be read",
    remediation: "Pack it anew as a plain zip.",
    judge: ofArchive(({ stopped }) => (stopped?.by === "unreadable" ? violated(stopped.why) : satisfied())),
  },
  {
    id: "openai.package.compressed-size",
    title: "The archive is small enough",
    judge: ofArchive(({ stopped }) => (stopped?.by === "too-large" ? violated(stopped.why) : satisfied())),
  },
  {
    id: "openai.package.expanded-size",
    title: "What is in the archive is small enough",
    judge: unlessStopped("too-large-expanded"),
  },
  {
    id: "openai.package.entry-count",
    title: `There are at most ${caps.entries} entries`,
    judge: unlessStopped("too-many-entries"),
  },
  {
    id: "openai.package.no-encryption",
    title: "Nothing is encrypted",
    judge: noEntry("is encrypted", ({ isEncrypted }) => isEncrypted === true),
  },
  {
    id: "openai.package.no-symlinks",
    title: "Nothing is a link or a device",
    judge: noEntry("is no plain file", ({ kind }) => kind === "symlink" || kind === "special"),
  },
  {
    id: "openai.package.no-absolute-paths",
    title: "No path is absolute",
    judge: noEntry("is absolute", ({ path }) => pathFaults.absolute(path)),
  },
  {
    id: "openai.package.no-parent-paths",
    title: "No path leads out of the package",
    judge: noEntry("leads out", ({ path }) => pathFaults.parent(path)),
  },
  {
    id: "openai.package.no-backslashes",
    title: "No path has a backslash",
    judge: noEntry("has a backslash", ({ path }) => pathFaults.backslash(path)),
  },
  {
    id: "openai.package.no-empty-segments",
    title: "No path has an empty part",
    judge: noEntry("has an empty part", ({ path }) => pathFaults.emptySegment(path)),
  },
  {
    id: "openai.package.no-edge-whitespace",
    title: "No part of a path begins or ends with a blank",
    judge: noEntry("begins or ends with a blank", ({ path }) => pathFaults.whitespace(path)),
  },
  {
    id: "openai.package.no-control-characters",
    title: "No path has a control character",
    judge: noEntry("has a control character", ({ path }) => pathFaults.control(path)),
  },
  {
    id: "openai.package.no-duplicates",
    title: "No path stands twice",
    judge: ofArchive(({ entries, stopped }) => {
      const seen = new Set<string>();
      // Two names that differ in case are one file on many machines.
      const twice = entries.filter(({ path }) => {
        const key = path.toLowerCase();
        const isKnown = seen.has(key);
        seen.add(key);
        return isKnown;
      });
      if (twice.length === 0 && stopped) return notEvaluated("pluginBundle", stopped.why);
      return verdictOf(twice.map(({ path }) => `${path} stands twice.`));
    }),
  },
]);

const semver = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

const textWithin = (label: string, value: unknown, most: number) => {
  if (typeof value !== "string" || value.trim() === "") return [`${label} is missing.`];
  return value.length > most ? [`${label} has ${value.length} characters; ${most} are allowed.`] : [];
};

const promptFaults = (label: string, value: unknown) => {
  if (value === undefined) return [];
  const prompts = Array.isArray(value) ? value : [value];
  return prompts.flatMap((prompt) => textWithin(label, prompt, caps.defaultPromptLength));
};

const isHex = (value: unknown): value is string =>
  typeof value === "string" && /^#[0-9A-Fa-f]{6}$/.test(value);

/** The two grounds that a colour is shown on. */
const grounds = { light: "#FFFFFF", dark: "#212121" } as const;

const contrastOn = (ground: keyof typeof grounds) =>
  ofManifest((_manifest, { brandColor }) => {
    if (!isHex(brandColor)) return notApplicable("There is no colour to look at.");
    const ratio = contrast(brandColor, grounds[ground]);
    return ratio >= caps.contrast
      ? satisfied()
      : violated(`${brandColor} on ${grounds[ground]} has a contrast of ${ratio.toFixed(2)}.`);
  });

const manifestRules = rulesOf({ ...packageRule, source: openaiSource("plugins", "Manifest") }, [
  {
    id: "openai.package.manifest-present",
    title: "There is a manifest",
    remediation: `Add ${manifestPaths[0]}.`,
    judge: ofPackage(({ manifestPath, reading }) => {
      if (manifestPath !== undefined) return satisfied();
      return isLocked(reading, /(?:^|-plugin\/)plugin\.json$/)
        ? notEvaluated("pluginBundle", "The manifest is encrypted.")
        : violated(`None of ${manifestPaths.join(", ")} is there.`);
    }),
  },
  {
    id: "openai.package.manifest-at-root",
    title: `The manifest is ${manifestPaths[0]} at the root`,
    class: "recommended",
    remediation: "Move the manifest to the root; the other places are read for compatibility.",
    source: openaiSource("packaging", "Package your plugin", {
      page: "plugins",
      says: "Every plugin has its manifest at .codex-plugin/plugin.json.",
    }),
    judge: ofPackage(({ manifestPath }) => {
      if (manifestPath === undefined) return notEvaluated("pluginBundle", "There is no manifest to look at.");
      return manifestPath === manifestPaths[0] ? satisfied() : violated(`It is ${manifestPath}.`);
    }),
  },
  {
    id: "openai.package.manifest-json",
    title: "The manifest is a JSON object",
    judge: ofPackage(({ manifest, manifestPath }) => {
      if (!manifest) return notEvaluated("pluginBundle", "There is no manifest to read.");
      return manifest.ok ? satisfied() : violated(`${manifestPath}: ${manifest.why}.`);
    }),
  },
  {
    id: "openai.package.name",
    title: `The plugin has a name of at most ${caps.nameLength} characters`,
    judge: ofManifest(({ name }) => verdictOf(textWithin("name", name, caps.nameLength))),
  },
  {
    id: "openai.package.version",
    title: "The version is a semantic one",
    judge: ofManifest(({ version }) =>
      typeof version === "string" && semver.test(version)
        ? satisfied()
        : violated(`version is ${JSON.stringify(version) ?? "missing"}.`),
    ),
  },
  {
    id: "openai.package.description",
    title: "The plugin says what it is for",
    class: "recommended",
    judge: ofManifest(({ description }) =>
      typeof description === "string" && description.trim() !== ""
        ? satisfied()
        : violated("description is missing."),
    ),
  },
  {
    id: "openai.package.component-paths",
    title: "Paths in the manifest stay inside and lead somewhere",
    judge: ofManifest((manifest, _own, { reading }) =>
      verdictOf(
        ["skills", "mcpServers", "apps", "hooks"].flatMap((key) => {
          const value = manifest[key];
          if (typeof value !== "string") return [];
          const path = value.replace(/^\.\//, "").replace(/\/$/, "");
          if (pathFaults.parent(path) || pathFaults.absolute(path)) return [`${key}: ${value} leads out.`];
          const isThere = [...reading.files.keys()].some(
            (file) => file === path || file.startsWith(`${path}/`),
          );
          return path === "" || path === "." || isThere ? [] : [`${key}: ${value} is not there.`];
        }),
      ),
    ),
  },
  {
    id: "openai.package.display-name",
    title: `The display name has at most ${caps.displayNameLength} characters`,
    judge: ofManifest((_manifest, { displayName }) =>
      verdictOf(textWithin("interface.displayName", displayName, caps.displayNameLength)),
    ),
  },
  {
    id: "openai.package.short-description",
    title: `The short description has at most ${caps.shortDescriptionLength} characters`,
    judge: ofManifest((_manifest, { shortDescription }) =>
      verdictOf(textWithin("interface.shortDescription", shortDescription, caps.shortDescriptionLength)),
    ),
  },
  {
    id: "openai.package.default-prompt",
    title: `Default prompts have at most ${caps.defaultPromptLength} characters`,
    judge: ofManifest((_manifest, { defaultPrompt }) =>
      verdictOf(promptFaults("interface.defaultPrompt", defaultPrompt)),
    ),
  },
  {
    id: "openai.package.brand-color",
    title: "The brand colour is six hexadecimal digits",
    judge: ofManifest((_manifest, { brandColor }) => {
      if (brandColor === undefined) return notApplicable("There is no brand colour.");
      return isHex(brandColor)
        ? satisfied()
        : violated(`interface.brandColor is ${JSON.stringify(brandColor)}.`);
    }),
  },
  {
    id: "openai.package.brand-color-on-light",
    title: "The brand colour can be seen on white",
    judge: contrastOn("light"),
  },
  {
    id: "openai.package.brand-color-on-dark",
    title: "The brand colour can be seen on dark grey",
    judge: contrastOn("dark"),
  },
  {
    id: "openai.package.interface-urls",
    title: "Addresses in the manifest are https",
    judge: ofManifest((_manifest, own) =>
      verdictOf(
        ["websiteURL", "privacyPolicyURL", "termsOfServiceURL"].flatMap((key) =>
          own[key] === undefined || URL.parse(String(own[key]))?.protocol === "https:"
            ? []
            : [`interface.${key} is ${String(own[key])}.`],
        ),
      ),
    ),
  },
]);

const agentRules = rulesOf({ ...packageRule, source: openaiSource("skills", "agents/openai.yaml") }, [
  {
    id: "openai.package.agent-yaml",
    title: "Settings of skills are a YAML mapping",
    judge: ofPackage(({ agents }) =>
      agents.length === 0
        ? notApplicable("There is no agents/openai.yaml.")
        : verdictOf(agents.flatMap(({ path, reading }) => (reading.ok ? [] : [`${path}: ${reading.why}.`]))),
    ),
  },
  {
    id: "openai.package.agent-display-name",
    title: "A skill's display name fits",
    judge: ofAgents((agents) =>
      verdictOf(
        agents.flatMap(({ path, own }) =>
          own.display_name === undefined
            ? []
            : textWithin(`${path} display_name`, own.display_name, caps.displayNameLength),
        ),
      ),
    ),
  },
  {
    id: "openai.package.agent-short-description",
    title: "A skill's short description fits",
    judge: ofAgents((agents) =>
      verdictOf(
        agents.flatMap(({ path, own }) =>
          own.short_description === undefined
            ? []
            : textWithin(`${path} short_description`, own.short_description, caps.shortDescriptionLength),
        ),
      ),
    ),
  },
  {
    id: "openai.package.agent-default-prompt",
    title: "A skill's default prompt fits",
    judge: ofAgents((agents) =>
      verdictOf(
        agents.flatMap(({ path, own }) => promptFaults(`${path} default_prompt`, own.default_prompt)),
      ),
    ),
  },
  {
    id: "openai.package.agent-brand-color",
    title: "A skill's brand colour is six hexadecimal digits",
    judge: ofAgents((agents) =>
      verdictOf(
        agents.flatMap(({ path, own }) =>
          own.brand_color === undefined || isHex(own.brand_color)
            ? []
            : [`${path} brand_color is ${JSON.stringify(own.brand_color)}.`],
        ),
      ),
    ),
  },
]);

export const openaiPackageRules: readonly ReadinessRule[] = [
  ...archiveRules,
  ...manifestRules,
  ...agentRules,
];

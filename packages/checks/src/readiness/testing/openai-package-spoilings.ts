/** @module What may be wrong with a package that is uploaded to the OpenAI directory. */
import { deflateRawSync } from "node:zlib";
import { openaiContentRules } from "../openai/content-rules.ts";
import { openaiPackageRules } from "../openai/package-rules.ts";
import type { ArchiveEntry } from "./archive.ts";
import { pngOf } from "./archive.ts";
import { type Draft, inManifest, manifestPath } from "./good.ts";
import type { Spoiling } from "./spoiling.ts";

const row = (rule: string, name: string, change: (draft: Draft) => void): Spoiling => ({
  name,
  package: change,
  changes: { [`openai.${rule}`]: "violated" },
  grade: advisory.has(rule) ? "ready" : "not-ready",
});

/** What never decides. */
const advisory = new Set([
  "migration.host-language",
  "migration.stdio-transport",
  "package.description",
  "package.manifest-at-root",
]);

const added = (rule: string, name: string, entry: ArchiveEntry): Spoiling => ({
  name,
  archive: (entries) => [...entries, entry],
  changes: { [`openai.package.${rule}`]: "violated" },
  grade: "not-ready",
});

const put = (path: string, content: string | Uint8Array) => (draft: Draft) => {
  draft.set(path, content);
};

const file = (path: string): ArchiveEntry => ({ path, content: "x" });

/** Where reading stops, of everything behind it nothing is known. */
const stoppedBy = (rule: string): Spoiling["changes"] => {
  const alwaysKnown = new Set(["openai.package.archive", "openai.package.compressed-size"]);
  const rules = [...openaiPackageRules, ...openaiContentRules].filter(({ id }) => !alwaysKnown.has(id));
  return {
    ...Object.fromEntries(rules.map(({ id }) => [id, "not-evaluated"])),
    "openai.policy.non-promotional-package": "not-evaluated",
    [`openai.package.${rule}`]: "violated",
  };
};

const large = deflateRawSync(Buffer.alloc(60 * 1024 * 1024));

const archiveSpoilings: readonly Spoiling[] = [
  {
    name: "the archive is no archive",
    archive: () => new Uint8Array(Buffer.from("hello, this is no archive at all")),
    changes: stoppedBy("archive"),
    grade: "not-ready",
  },
  {
    name: "the archive is cut short",
    archive: () => new Uint8Array(60),
    changes: stoppedBy("archive"),
  },
  {
    name: "the archive has too many entries",
    archive: (entries) => [
      ...entries,
      ...Array.from({ length: 5_001 }, (_, at): ArchiveEntry => ({ path: `f${at}`, content: "" })),
    ],
    changes: stoppedBy("entry-count"),
  },
  {
    name: "the archive is a bomb",
    archive: (entries) => [
      ...entries,
      ...Array.from({ length: 9 }, (_, at) => ({ path: `bomb${at}`, content: "", packed: large })),
    ],
    changes: stoppedBy("expanded-size"),
  },
  added("no-encryption", "a file is encrypted", { ...file("secret.bin"), isEncrypted: true }),
  added("no-symlinks", "a file is a link", { path: "link", content: "/etc/passwd", mode: 0o120777 }),
  added("no-absolute-paths", "a path is absolute", file("/etc/cron")),
  added("no-parent-paths", "a path leads out", file("skills/../../out.bin")),
  added("no-backslashes", "a path has a backslash", file("skills\\order.bin")),
  added("no-empty-segments", "a path has an empty part", file("skills//order.bin")),
  added("no-edge-whitespace", "a path ends with a blank", file("skills/order.bin ")),
  added("no-control-characters", "a path has a line break", file("skills/or\nder.bin")),
  added("no-duplicates", "a path stands twice", file("assets/logo.png")),
  added("no-duplicates", "two paths differ in case alone", file("ASSETS/logo.png")),
];

const unread = (ids: readonly string[]): Spoiling["changes"] =>
  Object.fromEntries(ids.map((id) => [`openai.package.${id}`, "not-evaluated"]));

const ofManifest = [
  "name",
  "version",
  "description",
  "component-paths",
  "display-name",
  "short-description",
  "default-prompt",
  "brand-color",
  "brand-color-on-light",
  "brand-color-on-dark",
  "interface-urls",
];

function flatManifest(draft: Draft): object {
  const { extensions, $schema: _portable, ...common } = JSON.parse(String(draft.get(manifestPath)));
  return { ...common, ...extensions["com.openai"] };
}

const manifestSpoilings: readonly Spoiling[] = [
  {
    name: "there is no manifest",
    package: (draft) => void draft.delete(manifestPath),
    changes: {
      "openai.package.manifest-present": "violated",
      ...unread(["manifest-at-root", "manifest-json", ...ofManifest]),
    },
    grade: "not-ready",
  },
  row("package.manifest-at-root", "the manifest stands where it stood before", (draft) => {
    draft.set(".codex-plugin/plugin.json", draft.get(manifestPath) ?? "");
    draft.delete(manifestPath);
  }),
  {
    name: "the manifest is no JSON",
    package: put(manifestPath, "{ nope"),
    changes: { "openai.package.manifest-json": "violated", ...unread(ofManifest) },
    grade: "not-ready",
  },
  row("package.manifest-at-root", "the manifest is one from before there were portable ones", (draft) => {
    draft.set(".codex-plugin/plugin.json", JSON.stringify(flatManifest(draft)));
    draft.delete(manifestPath);
  }),
  {
    name: "what is for OpenAI stands in the manifest that is kept for compatibility, which is as good",
    package: (draft) => {
      draft.set(".codex-plugin/plugin.json", JSON.stringify(flatManifest(draft)));
      inManifest((manifest) => void delete manifest.extensions)(draft);
    },
    changes: {},
    grade: "ready",
  },
  row(
    "package.name",
    "the plugin has no name",
    inManifest((manifest) => void delete manifest.name),
  ),
  row(
    "package.name",
    "the plugin's name is too long",
    inManifest((manifest) => void Object.assign(manifest, { name: "x".repeat(101) })),
  ),
  row(
    "package.version",
    "the version is no semantic one",
    inManifest((manifest) => void Object.assign(manifest, { version: "v1" })),
  ),
  row(
    "package.description",
    "the plugin does not say what it is for",
    inManifest((manifest) => void delete manifest.description),
  ),
  row(
    "package.component-paths",
    "the manifest names a folder that is not there",
    inManifest((manifest) => void Object.assign(manifest, { skills: "./talents/" })),
  ),
  row(
    "package.component-paths",
    "the manifest names a folder outside",
    inManifest((manifest) => void Object.assign(manifest, { skills: "../skills/" })),
  ),
  row(
    "package.display-name",
    "the display name is too long",
    inManifest((_, own) => void Object.assign(own, { displayName: "x".repeat(101) })),
  ),
  row(
    "package.short-description",
    "the short description is missing",
    inManifest((_, own) => void delete own.shortDescription),
  ),
  row(
    "package.default-prompt",
    "a default prompt is too long",
    inManifest((_, own) => void Object.assign(own, { defaultPrompt: ["x".repeat(256)] })),
  ),
  {
    name: "the brand colour is a word",
    package: inManifest((_, own) => void Object.assign(own, { brandColor: "brown" })),
    changes: {
      "openai.package.brand-color": "violated",
      "openai.package.brand-color-on-light": "not-applicable",
      "openai.package.brand-color-on-dark": "not-applicable",
    },
  },
  row(
    "package.brand-color-on-light",
    "the brand colour is hardly seen on white",
    inManifest((_, own) => void Object.assign(own, { brandColor: "#FFF4C0" })),
  ),
  row(
    "package.brand-color-on-dark",
    "the brand colour is hardly seen on dark grey",
    inManifest((_, own) => void Object.assign(own, { brandColor: "#101010" })),
  ),
  row(
    "package.interface-urls",
    "the website is plain http",
    inManifest((_, own) => void Object.assign(own, { websiteURL: "http://cafe.test" })),
  ),
  row(
    "policy.non-promotional-package",
    "the package says that it is award-winning",
    inManifest((_, own) => void Object.assign(own, { shortDescription: "Award-winning drinks" })),
  ),
];

const agents = "skills/order/agents/openai.yaml";
const skill = (front: string) => `---\n${front}\n---\nDo it.\n`;

const skillSpoilings: readonly Spoiling[] = [
  {
    name: "settings of a skill are no YAML",
    package: put(agents, "interface: [\n"),
    changes: {
      "openai.package.agent-yaml": "violated",
      ...Object.fromEntries(
        ["agent-display-name", "agent-short-description", "agent-default-prompt", "agent-brand-color"].map(
          (id) => [`openai.package.${id}`, "not-applicable"],
        ),
      ),
    },
  },
  row(
    "package.agent-display-name",
    "a skill's display name is too long",
    put(agents, `interface:\n  display_name: ${"x".repeat(101)}\n`),
  ),
  row(
    "package.agent-short-description",
    "a skill's short description is too long",
    put(agents, `interface:\n  short_description: ${"x".repeat(256)}\n`),
  ),
  row(
    "package.agent-default-prompt",
    "a skill's default prompt is too long",
    put(agents, `interface:\n  default_prompt: ${"x".repeat(256)}\n`),
  ),
  row(
    "package.agent-brand-color",
    "a skill's brand colour is a word",
    put(agents, "interface:\n  brand_color: red\n"),
  ),
  {
    name: "there is no skill",
    package: (draft) => {
      for (const path of [...draft.keys()]) if (path.startsWith("skills/")) draft.delete(path);
      draft.set("skills/README.md", "None yet.");
    },
    changes: {
      "openai.package.skills-present": "violated",
      ...Object.fromEntries(
        [
          "skill-front-matter",
          "skill-name",
          "skill-name-length",
          "skill-description",
          "skill-name-unique",
          "agent-yaml",
          "agent-display-name",
          "agent-short-description",
          "agent-default-prompt",
          "agent-brand-color",
        ].map((id) => [`openai.package.${id}`, "not-applicable"]),
      ),
    },
  },
  row("package.skill-front-matter", "a SKILL.md has no front matter", put("skills/pay/SKILL.md", "# Pay")),
  row("package.skill-name", "a skill has no name", put("skills/pay/SKILL.md", skill("description: Pays."))),
  row(
    "package.skill-name-length",
    "a skill's name is too long",
    put("skills/pay/SKILL.md", skill(`name: ${"x".repeat(65)}\ndescription: Pays.`)),
  ),
  row(
    "package.skill-description",
    "a skill has no description",
    put("skills/pay/SKILL.md", skill("name: pay")),
  ),
  row(
    "package.skill-name-unique",
    "two skills have one name",
    put("skills/pay/SKILL.md", skill("name: Order\ndescription: Pays.")),
  ),
];

const logo = "assets/logo.png";

const assetSpoilings: readonly Spoiling[] = [
  row("package.asset-present", "the logo is not there", (draft) => void draft.delete(logo)),
  row("package.asset-bytes", "the logo is too large", put(logo, new Uint8Array(5 * 1024 * 1024 + 1))),
  row("package.asset-type", "the logo is a GIF", put(logo, "GIF89a and more")),
  row("package.asset-decodable", "the logo is cut short", put(logo, pngOf(128).subarray(0, 60))),
  row(
    "package.svg-dimensions",
    "the icon does not say how large it is",
    put("assets/icon.svg", '<svg xmlns="http://www.w3.org/2000/svg"><circle r="9"/></svg>'),
  ),
  row("package.asset-square", "the logo is not square", put(logo, pngOf(128, 64))),
  row("package.asset-min-pixels", "the logo is tiny", put(logo, pngOf(47))),
  row("package.asset-max-pixels", "the logo is huge", put(logo, pngOf(4_097))),
];

const migrationSpoilings: readonly Spoiling[] = [
  row("migration.unsupported-surfaces", "there are slash commands in it", put("commands/pay.md", "Pay.")),
  row(
    "migration.user-config",
    "a setting is waited for",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the placeholder itself
    put(".app.json", '{"key": "${user_config.api_key}"}'),
  ),
  row(
    "migration.stdio-transport",
    "its server is started by a command",
    put("mcp.json", '{"mcpServers": {"cafe": {"type": "stdio", "command": "npx"}}}'),
  ),
  row(
    "migration.stdio-transport",
    "its server is started by a command, and stands where it stood before",
    put(".mcp.json", '{"mcpServers": {"cafe": {"command": "npx"}}}'),
  ),
  row("migration.stdio-transport", "the manifest names a file with such a server", (draft) => {
    draft.set("servers.json", '{"cafe": {"command": "npx"}}');
    inManifest((manifest) => void Object.assign(manifest, { mcpServers: "./servers.json" }))(draft);
  }),
  row("migration.mcpb", "there is a desktop bundle in it", put("cafe.mcpb", "PK")),
  row(
    "migration.host-language",
    "a skill speaks of another host",
    put("skills/pay/SKILL.md", `${skill("name: pay\ndescription: Pays.")}Ask Claude.`),
  ),
];

export const openaiPackageSpoilings: readonly Spoiling[] = [
  ...archiveSpoilings,
  ...manifestSpoilings,
  ...skillSpoilings,
  ...assetSpoilings,
  ...migrationSpoilings,
];

/** @module What may be wrong with the widgets and skills of a server that is submitted to the OpenAI directory. */
import type { ReadinessEvidence } from "../evidence.ts";
import type { ServerSpoiling } from "./listed-server.ts";
import { all, goodSkills, menuUri, type Spoiling, tool, widget } from "./spoiling.ts";

const inUi = (change: (ui: Record<string, unknown>) => void) =>
  widget(menuUri, (_content, meta) => change(meta.ui as Record<string, unknown>));
const csp = {
  connectDomains: ["https://prices.example.com"],
  resourceDomains: ["https://pictures.example.com"],
};

const widgetSpoilings: readonly Spoiling[] = [
  {
    name: "a widget is of another type",
    server: widget(menuUri, (content) => {
      content.mimeType = "text/html";
    }),
    changes: { "openai.ui.mime": "violated" },
  },
  {
    name: "a widget has no domain",
    server: inUi((ui) => {
      delete ui.domain;
    }),
    changes: { "openai.ui.domain-present": "violated" },
  },
  {
    name: "a widget's domain is the host's",
    server: inUi((ui) => {
      ui.domain = "https://web-sandbox.oaiusercontent.com";
    }),
    changes: { "openai.ui.domain-unique": "violated" },
  },
  {
    name: "a content policy has a wildcard",
    server: inUi((ui) => {
      ui.csp = { ...csp, connectDomains: [...csp.connectDomains, "https://*.example.com"] };
    }),
    changes: { "openai.ui.csp-exact": "violated" },
  },
  {
    name: "a content policy lacks an origin",
    server: inUi((ui) => {
      ui.csp = { connectDomains: csp.connectDomains };
    }),
    changes: { "openai.ui.csp-exact": "violated" },
  },
  {
    name: "a tool with a widget does not say what it answers",
    server: tool("show_menu", (item) => {
      delete item.outputSchema;
    }),
    changes: { "openai.ui.output-schema": "violated" },
  },
  {
    name: "nobody says what a tool is worth without its widget",
    profile: ({ openai }) => {
      delete openai.withoutUi;
    },
    changes: { "openai.ui.useful-without-ui": "violated" },
  },
  {
    name: "the listing does not show the widget",
    profile: ({ openai }) => {
      openai.screenshots = [];
    },
    changes: { "openai.ui.screenshots": "violated" },
  },
  {
    name: "a framed page is not explained",
    server: inUi((ui) => {
      ui.csp = { ...csp, frameDomains: ["https://maps.test"] };
    }),
    changes: { "openai.submission.frame-domain-explanations": "violated" },
    grade: "ready",
  },
];

const skilled = (name: string, skills: ServerSpoiling["skills"], changes: Spoiling["changes"]): Spoiling => ({
  name,
  mode: "mcp-imported-skills",
  server: { skills: skills ?? [] },
  changes,
});

const skillNamed = (
  name: string,
  text = `---\nname: ${name}\ndescription: Does ${name}.\n---\nDo it.\n`,
) => ({
  listed: { name },
  files: [{ path: "SKILL.md", text }],
});

const skillSpoilings: readonly Spoiling[] = [
  skilled("a server offers skills", goodSkills, {}),
  skilled("the list of skills is empty", [], { "openai.skills.listing-complete": "violated" }),
  skilled("a skill has no SKILL.md", [{ listed: { name: "order" }, files: [] }], {
    "openai.skills.listing-complete": "violated",
  }),
  skilled(
    "there are six skills",
    [..."abcdef"].map((name) => skillNamed(name)),
    {
      "openai.skills.caps": "violated",
    },
  ),
  skilled(
    "a SKILL.md is too large",
    [skillNamed("order", `---\nname: order\ndescription: d\n---\n${"x".repeat(256 * 1024)}`)],
    { "openai.skills.caps": "violated" },
  ),
  skilled(
    "a digest is of another text",
    [{ ...skillNamed("order"), listed: { name: "order", digest: `sha256:${"0".repeat(64)}` } }],
    { "openai.skills.digests": "violated" },
  ),
  skilled("a SKILL.md has no front matter", [skillNamed("order", "# Order")], {
    "openai.skills.frontmatter": "violated",
  }),
  {
    name: "skills are to be imported, and there are none",
    mode: "mcp-imported-skills",
    server: { skills: goodSkills },
    evidence: ({ server }) => {
      server.skills = { unadvertised: true };
    },
    changes: {
      "openai.skills.extension": "violated",
      ...all("not-evaluated", [
        "skills.listing-complete",
        "skills.caps",
        "skills.digests",
        "skills.frontmatter",
        "skills.snapshot",
      ]),
    },
  },
  {
    name: "nobody could connect",
    evidence: (evidence: ReadinessEvidence) => {
      const { server } = evidence;
      if (!server) return;
      server.unconnected = "Connection refused.";
      delete server.tools;
      delete server.documents;
      delete server.capabilities;
    },
    changes: all("not-evaluated", [
      "tools.annotations",
      "tools.descriptions",
      "tools.name-length",
      "tools.schemas",
      "tools.security-schemes",
      "tools.annotation-honesty",
      "ui.mime",
      "ui.domain-present",
      "ui.domain-unique",
      "ui.csp-exact",
      "ui.output-schema",
      "ui.useful-without-ui",
      "ui.screenshots",
      "submission.scan-currency",
      "submission.annotation-justifications",
      "submission.frame-domain-explanations",
      "feature.imported-skills",
      "feature.ui-templates",
      "feature.checkout",
    ]),
    grade: "incomplete",
  },
];

export const openaiOfferSpoilings: readonly Spoiling[] = [...widgetSpoilings, ...skillSpoilings];

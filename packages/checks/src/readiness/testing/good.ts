/** @module What a good submission has: a full profile for both publishers, and a package. */
import type { SubmissionProfile } from "../submission/profile.ts";
import { type ArchiveEntry, pngOf } from "./archive.ts";

/** Where the café is thought to be. */
export const listedUrl = "https://cafe.test/mcp";
export const domainToken = "cafe-domain-4711";

const shot = (name: string) => ({
  file: `shots/${name}.png`,
  width: 1280,
  height: 800,
  prompt: "What is there to drink today?",
});

export function goodProfile(): SubmissionProfile & {
  claude: NonNullable<SubmissionProfile["claude"]>;
  openai: NonNullable<SubmissionProfile["openai"]>;
  urls: NonNullable<SubmissionProfile["urls"]>;
} {
  return {
    version: 1,
    name: "Café on the Corner",
    description: "Shows the drinks of today and their prices.",
    authMode: "authless",
    urls: {
      documentation: "https://cafe.test/docs",
      privacy: "https://cafe.test/privacy",
      support: "https://cafe.test/support",
      terms: "https://cafe.test/terms",
      website: "https://cafe.test/",
      icon: "https://cafe.test/icon.png",
    },
    claude: {
      tagline: "The drinks of today",
      slug: "cafe-on-the-corner",
      categories: ["food"],
      screenshots: [shot("menu"), shot("prices"), shot("hello")],
      attestations: {
        ownsOrAuthorised: true,
        dataHandlingAccurate: true,
        followsUsagePolicies: true,
        noProhibitedContent: true,
        securityPractices: true,
        respondsToReports: true,
        keepsListingAccurate: true,
      },
    },
    openai: {
      shortDescription: "The drinks of today",
      category: "productivity",
      screenshots: [shot("menu")],
      attestations: {
        ownsOrAuthorised: true,
        followsGuidelines: true,
        privacyAccurate: true,
        noProhibitedContent: true,
        contentRights: true,
        testedAsListed: true,
        keepsListingAccurate: true,
      },
      testCases: [
        ...Array.from({ length: 5 }, (_, at) => ({
          prompt: `Menu, please (${at})`,
          expected: "The menu is shown.",
          kind: "success" as const,
        })),
        ...Array.from({ length: 3 }, (_, at) => ({
          prompt: `Sell me a car (${at})`,
          expected: "It says that there are drinks only.",
          kind: "graceful-failure" as const,
        })),
      ],
      demoAccess: { instructions: "Sign in as guest@cafe.test.", withoutSecondFactor: true },
      account: { verified: true, writePermission: true },
      countries: ["DE", "FR"],
      domainToken,
      scan: { at: "2026-11-01T10:00:00Z", tools: ["show_menu", "refresh_menu", "say_hello"] },
      withoutUi: "The drinks are named in the answer's text.",
      annotationJustifications: {
        show_menu: "Reads the menu.",
        refresh_menu: "Reads the menu again.",
        say_hello: "Says a sentence.",
      },
      sellsDigitalGoods: false,
    },
  };
}

export type Draft = Map<string, string | Uint8Array>;

const manifest = {
  $schema: "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
  name: "cafe-skills",
  version: "1.2.0",
  description: "How to order at the café.",
  skills: "./skills/",
  extensions: {
    "com.openai": {
      interface: {
        displayName: "Café skills",
        shortDescription: "Order a drink",
        defaultPrompt: ["Order me a tea"],
        brandColor: "#B05A2A",
        logo: "./assets/logo.png",
        composerIcon: "./assets/icon.svg",
        websiteURL: "https://cafe.test/",
      },
    },
  },
};

export const manifestPath = "plugin.json";

export function goodPackage(): Draft {
  return new Map<string, string | Uint8Array>([
    [manifestPath, JSON.stringify(manifest)],
    [
      "skills/order/SKILL.md",
      "---\nname: order\ndescription: Orders a drink.\n---\n# Order\nAsk what it is to be.\n",
    ],
    [
      "skills/order/agents/openai.yaml",
      "interface:\n  display_name: Order\n  short_description: Orders a drink\n  default_prompt: Order me a tea\n  brand_color: '#B05A2A'\n  icon_small: ./icon.png\n",
    ],
    ["skills/pay/SKILL.md", "---\nname: pay\ndescription: Pays the bill.\n---\n# Pay\nAsk for the bill.\n"],
    ["skills/order/icon.png", pngOf(64)],
    ["assets/logo.png", pngOf(128)],
    [
      "assets/icon.svg",
      '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle r="9"/></svg>',
    ],
  ]);
}

/** Changes the manifest of a draft. */
export function inManifest(
  change: (manifest: Record<string, unknown>, own: Record<string, unknown>) => void,
): (draft: Draft) => void {
  return (draft) => {
    const fields: typeof manifest = JSON.parse(String(draft.get(manifestPath)));
    change(fields, fields.extensions["com.openai"].interface);
    draft.set(manifestPath, JSON.stringify(fields));
  };
}

export function entriesOf(draft: Draft): ArchiveEntry[] {
  return [...draft].map(([path, content]) => ({ path, content }));
}

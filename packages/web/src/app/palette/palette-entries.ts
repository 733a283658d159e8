/** @module What the palette offers: pages and their actions from the manifest, projects and organizations, and a few commands. */
import type { Bootstrap, Project } from "@fettle/contract/people";
import { preferences, setPreference } from "../../lib/preferences.ts";
import type { PageDeclaration } from "../../pages/page.ts";
import { addressOf, isBare, pagePath, pages, parametersOf } from "../../pages/pages.ts";
import { signOut } from "../sign-out.ts";
import { keySheetOpen } from "./palette-open.ts";

export interface PaletteEntry {
  id: string;
  group:
    | "Actions"
    | "Pages"
    | "Tools"
    | "Prompts"
    | "Resources"
    | "Servers"
    | "Clients"
    | "Environments"
    | "Suites"
    | "Runs"
    | "Scenarios"
    | "Swarms"
    | "Journeys"
    | "Conversations"
    | "Projects"
    | "Organizations"
    | "Commands";
  label: string;
  /** More words it is found by, shown faintly. */
  about: string;
  keys?: string;
  /** Offered only to what was typed: there may be hundreds of its kind. */
  onlyTyped?: true;
  run: () => void;
}

export interface PaletteScene {
  parameters: Record<string, string>;
  projects: readonly Project[];
  organizations: Bootstrap["organizations"];
  /** What the project and the open server hold. */
  things: readonly PaletteEntry[];
  navigate: (to: string, search?: Record<string, string>) => void;
}

export function paletteEntries({
  parameters,
  projects,
  organizations,
  things,
  navigate,
}: PaletteScene): PaletteEntry[] {
  const reachable = pages.filter(
    (page) => !isBare(page) && parametersOf(page).every((name) => parameters[name]),
  );
  const nameOf = (page: PageDeclaration) =>
    page.tabs && page.area !== "account" ? `${areaNames[page.area]}: ${page.title}` : page.title;
  return [
    ...reachable.flatMap((page) =>
      page.action
        ? [
            {
              id: `act:${page.id}`,
              group: "Actions" as const,
              label: page.action.label,
              about: page.about,
              run: () => navigate(addressOf(page, parameters), { do: "new" }),
            },
          ]
        : [],
    ),
    ...reachable.map((page) => ({
      id: `page:${page.id}`,
      group: "Pages" as const,
      label: nameOf(page),
      about: page.about,
      ...(page.jump && { keys: `g ${page.jump}` }),
      run: () => navigate(addressOf(page, parameters)),
    })),
    ...things,
    ...projects.map((project) => ({
      id: `project:${project.id}`,
      group: "Projects" as const,
      label: project.name,
      about: project.description ?? "Open project",
      run: () => navigate(pagePath("project-home", { pid: project.id })),
    })),
    ...organizations.map((organization) => ({
      id: `organization:${organization.id}`,
      group: "Organizations" as const,
      label: organization.name,
      about: "Open organization",
      run: () => navigate(pagePath("organization-home", { org: organization.id })),
    })),
    ...commands(),
  ];
}

const areaNames: Record<PageDeclaration["area"], string> = {
  entrance: "",
  organization: "Organization",
  project: "Project",
  account: "Account",
};

function commands(): PaletteEntry[] {
  const dark = preferences.get().theme === "dark" || isSystemDark();
  return [
    {
      id: "theme",
      group: "Commands",
      label: dark ? "Use the light theme" : "Use the dark theme",
      about: "Appearance",
      run: () => setPreference("theme", dark ? "light" : "dark"),
    },
    {
      id: "density",
      group: "Commands",
      label: preferences.get().density === "compact" ? "Use standard rows" : "Use compact rows",
      about: "Density",
      run: () => setPreference("density", preferences.get().density === "compact" ? "standard" : "compact"),
    },
    {
      id: "keys",
      group: "Commands",
      label: "Show keyboard shortcuts",
      about: "Help",
      keys: "?",
      run: () => keySheetOpen.set(true),
    },
    {
      id: "sign-out",
      group: "Commands",
      label: "Sign out",
      about: "End this session",
      run: () => void signOut(),
    },
  ];
}

function isSystemDark(): boolean {
  return preferences.get().theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Whoever sees more than this types another letter. */
const shownAtMost = 60;

/**
 * Entries whose words begin with, or else contain, every word typed. Better matches come first, but a group stays together.
 *
 * @example
 * filterEntries(entries, "api k") // "API keys" first
 */
export function filterEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries.filter(({ onlyTyped }) => !onlyTyped);
  const scored = entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, shownAtMost);
  // The first of a group is its best, so groups come in the order of their best entry.
  const groups = Map.groupBy(scored, ({ entry }) => entry.group);
  return [...groups.values()].flatMap((group) => group.map(({ entry }) => entry));
}

function scoreOf(entry: PaletteEntry, words: readonly string[]): number {
  const label = entry.label.toLowerCase();
  const rest = `${entry.about} ${entry.group}`.toLowerCase();
  let score = 0;
  for (const word of words) {
    if (label.startsWith(word)) score += 8;
    else if (label.includes(` ${word}`)) score += 6;
    else if (label.includes(word)) score += 3;
    else if (rest.includes(word)) score += 1;
    else return 0;
  }
  return score;
}

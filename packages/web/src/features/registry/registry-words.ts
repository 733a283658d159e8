/** @module Entries of directories in words, and what to run for one that is a package. */
import type {
  DirectoryPackage,
  DirectoryServer,
  EndpointKind,
  UnavailableReason,
  VerifiedTier,
} from "@fettle/contract/servers";
import { commandLine } from "../../lib/command-line.ts";
import type { Tone } from "../../ui/chip.tsx";

export const endpointWords: Record<EndpointKind, string> = {
  fixed: "One address",
  options: "A choice of addresses",
  tenant: "Your own address",
};

export const reasonWords: Record<UnavailableReason, { word: string; about: string }> = {
  removed: { word: "Removed", about: "Its directory has removed it. Servers installed from it stay." },
  package_only: {
    word: "Package",
    about: "It has no address: it runs on your machine. Start it there, and a tunnel lets Fettle reach it.",
  },
  no_endpoint: { word: "No address", about: "The directory says neither an address nor a package." },
  address_not_allowed: {
    word: "Not reachable",
    about: "Its address is none that a directory may name, such as one on your own network.",
  },
  pattern_unusable: {
    word: "Unclear address",
    about: "Its address has parts to fill in that cannot be made sense of.",
  },
};

export const tierWords: Record<VerifiedTier, { tone: Tone; word: string; about: string } | undefined> = {
  bundled: { tone: "info", word: "Sample", about: "Came with Fettle." },
  domain: {
    tone: "good",
    word: "Domain matches",
    about: "Its address lies under the domain that its name claims. Nobody has looked at the server itself.",
  },
  none: undefined,
};

export const titleOf = ({ displayName, serverName }: DirectoryServer) => displayName ?? serverName;

const runners: Record<string, readonly string[]> = {
  npm: ["npx", "-y"],
  pypi: ["uvx"],
  oci: ["docker", "run", "-i", "--rm"],
  nuget: ["dnx"],
};

/** Of a package we know how to run; its words are a stranger's, so each is quoted. */
export function tunnelCommand(name: string, entry: DirectoryPackage): string | undefined {
  const runner = runners[entry.registryType];
  if (!runner || entry.transport !== "stdio") return undefined;
  const separator = entry.registryType === "oci" ? ":" : "@";
  const isPinned = entry.version === undefined || entry.identifier.includes(`${separator}${entry.version}`);
  const what = isPinned ? entry.identifier : `${entry.identifier}${separator}${entry.version}`;
  const shortName = name.split("/").at(-1) ?? name;
  const env = entry.environmentVariables
    .filter(({ isRequired }) => isRequired)
    .flatMap((each) => ["-e", `${each.name}=<${each.name}>`]);
  const words = [
    "fettle",
    "cloud",
    "tunnel",
    "--server",
    shortName,
    ...env,
    "--",
    ...runner,
    what,
    ...entry.arguments,
  ];
  return commandLine(words);
}

/** The address with its variables filled in; those that are not stay in braces. */
export function filledAddress(hint: string, values: ReadonlyMap<string, string>): string {
  return hint.replace(/\{([\w.-]{1,64})\}/g, (whole, name: string) => values.get(name) || whole);
}

import type { DirectoryPackage } from "@fettle/contract/servers";
import { expect, it } from "vitest";
import { filledAddress, tunnelCommand } from "./registry-words.ts";

const npm: DirectoryPackage = {
  registryType: "npm",
  identifier: "@example/mcp",
  version: "1.2.0",
  transport: "stdio",
  arguments: ["--root", "<path>"],
  environmentVariables: [
    { name: "KEY", isRequired: true, isSecret: true },
    { name: "MODE", isRequired: false, isSecret: false },
  ],
};

const commands: [what: string, over: Partial<DirectoryPackage>, command: string | undefined][] = [
  [
    "npm",
    {},
    "fettle cloud tunnel --server shop -e 'KEY=<KEY>' -- npx -y @example/mcp@1.2.0 --root '<path>'",
  ],
  [
    "an image",
    { registryType: "oci", identifier: "docker.io/x/y:1.2.0", arguments: [], environmentVariables: [] },
    "fettle cloud tunnel --server shop -- docker run -i --rm docker.io/x/y:1.2.0",
  ],
  [
    "words meant for a shell",
    { identifier: "x; rm -rf ~", version: undefined, arguments: ["$(id)", "it's"], environmentVariables: [] },
    "fettle cloud tunnel --server shop -- npx -y 'x; rm -rf ~' '$(id)' 'it'\\''s'",
  ],
  ["a registry nobody knows", { registryType: "mcpb" }, undefined],
  ["a package that listens by itself", { transport: "streamable-http" }, undefined],
];
it.each(commands)("the command of %s", (_what, over, command) => {
  expect(tunnelCommand("com.example/shop", { ...npm, ...over })).toBe(command);
});

it("fills an address, and leaves in braces what is not known yet", () => {
  const hint = "https://{tenant}.example.com/{region}";
  expect(filledAddress(hint, new Map([["tenant", "acme"]]))).toBe("https://acme.example.com/{region}");
});

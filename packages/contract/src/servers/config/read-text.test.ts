// biome-ignore-all lint/suspicious/noTemplateCurlyInString: open places of a configuration look like this
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { shellWord } from "../../formats/shell-word.ts";
import { readCommandLine } from "./command-line.ts";
import { pastedKind, readServerText } from "./read-text.ts";

test.each([
  ["npx -y @acme/files /tmp", "files", ["npx", "-y", "@acme/files", "/tmp"], {}],
  [
    "$ npx -y @acme/files@1.2.3 --root '/my dir'",
    "files",
    ["npx", "-y", "@acme/files@1.2.3", "--root", "/my dir"],
    {},
  ],
  ["API_KEY=abc  DEBUG=1 npx files", "files", ["npx", "files"], { API_KEY: "abc", DEBUG: "1" }],
  ["env TOKEN='a b' uvx mcp-server-git", "mcp-server-git", ["uvx", "mcp-server-git"], { TOKEN: "a b" }],
  ['node "C:\\\\servers\\\\shop.js" --x=1', "shop", ["node", "C:\\servers\\shop.js", "--x=1"], {}],
  ["python3 -m shop_server", "shop_server", ["python3", "-m", "shop_server"], {}],
  [
    "docker run -i --rm -e KEY ghcr.io/acme/shop:1.2",
    "shop",
    ["docker", "run", "-i", "--rm", "-e", "KEY", "ghcr.io/acme/shop:1.2"],
    {},
  ],
  ["npx files \\\n  --root /tmp", "files", ["npx", "files", "--root", "/tmp"], {}],
  ["./bin/shop", "shop", ["./bin/shop"], {}],
  ["npx --token canary files", "files", ["npx", "--token", "canary", "files"], {}],
  ["echo a''b \"\" c", "echo", ["echo", "ab", "", "c"], {}],
])("%s is taken apart as a shell would", (text, name, [command, ...args], env) => {
  expect(readCommandLine(text)).toEqual({ ok: true, name, command, args, env });
});

test.each([
  ["npx files | tee log", /“\|”/],
  ["npx files && rm -rf /", /“&”/],
  ["npx $(cat secret)", /“\$”/],
  ["npx `cat secret`", /“`”/],
  ["npx 'files", /not closed/],
  ["A=1", /no command/],
  ["", /no command/],
])("%s is no one command, and says why", (text, reason) => {
  expect(readCommandLine(text)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
});

test("any words, quoted for a shell, come back as they were", () => {
  const word = fc.string({ minLength: 1 }).filter((text) => !/[\p{C}\u2000-\u206f]/u.test(text));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (args) => {
      const read = readCommandLine(["run-it", ...args].map(shellWord).join(" "));
      expect(read).toMatchObject({ ok: true, command: "run-it", args });
    }),
  );
});

describe("whatever is pasted", () => {
  it.each([
    ["https://shop.example/mcp?key=1", "address"],
    ["shop.example", "address"],
    ["npx -y files", "command"],
    ['{ "mcpServers": {} }', "config"],
    ["  ", "address"],
  ] as const)("%s is told apart", (text, kind) => {
    expect(pastedKind(text)).toBe(kind);
  });

  it("becomes servers of one form", () => {
    expect(readServerText("https://shop.example/mcp")).toMatchObject({
      ok: true,
      servers: [{ kind: "http", name: "shop.example", url: "https://shop.example/mcp" }],
    });
    expect(readServerText('{"mcpServers":{"a":{"url":"https://a.example"}}}')).toMatchObject({
      servers: [{ kind: "http", name: "a" }],
    });
    expect(readServerText("npx | sh")).toMatchObject({ ok: false });
  });

  it("names no secret of a command line, neither as a name nor in the command for the tunnel", () => {
    const read = readServerText(
      "API_KEY=canary1 npx -y @acme/files --api-key canary2 --header 'Authorization: Bearer canary3'",
    );
    const [server] = read.ok ? read.servers : [];
    expect(server).toMatchObject({
      kind: "stdio",
      name: "files",
      env: { API_KEY: "canary1" },
      tunnel: expect.stringMatching(
        /^fettle cloud tunnel --server files -e API_KEY="\$API_KEY" -- npx -y @acme\/files --api-key "\$API_KEY"/,
      ),
    });
    const { name, tunnel } = server as { name: string; tunnel: string };
    expect(name + tunnel).not.toContain("canary");
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { Secret } from "@fettle/contract/secrets";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { StartError } from "../start-error.ts";
import { bindRefusal, readConfig } from "./config.ts";
import { isLoopbackHost } from "./option-values.ts";
import { options } from "./options.ts";

const key = "k".repeat(32);

describe("reading the configuration", () => {
  test("nothing given is a local service on loopback with its own database", () => {
    const config = readConfig({ env: { FETTLE_HOME: "/srv/fettle" } });
    expect(config).toMatchObject({
      host: "127.0.0.1",
      port: 7400,
      widgetPort: 7401,
      dataFolder: join("/srv/fettle", "data"),
      database: { kind: "embedded" },
      mode: "local",
      limits: { keyPerMinute: 60, keyBurst: 10 },
    });
  });

  test("a flag wins over the environment, and a blank variable counts as not set", () => {
    const config = readConfig({
      flags: { port: "0", data: "/flag" },
      env: { FETTLE_PORT: "9", FETTLE_DATA: "/env", FETTLE_HOST: " ", DATABASE_URL: "" },
    });
    expect(config).toMatchObject({ port: 0, widgetPort: 0, dataFolder: "/flag", host: "127.0.0.1" });
    expect(config.database.kind).toBe("embedded");
  });

  test("every fault is named at once, by the name the person used", () => {
    const faults = () =>
      readConfig({
        flags: { port: "70000" },
        env: {
          DATABASE_URL: "mysql://x",
          FETTLE_SECRET_KEY: "short",
          FETTLE_LIMIT_KEY_BURST: "-1",
          FETTLE_PUBLIC_URL: "https://a.example/sub",
          FETTLE_SIGN_IN: "password,magic",
          FETTLE_MODE: "cloud",
        },
      });
    expect(faults).toThrow(StartError);
    expect(faults).toThrow(
      /--port must[\s\S]*FETTLE_PUBLIC_URL must[\s\S]*DATABASE_URL must[\s\S]*FETTLE_SECRET_KEY must[\s\S]*FETTLE_MODE must[\s\S]*FETTLE_SIGN_IN must[\s\S]*FETTLE_LIMIT_KEY_BURST must/,
    );
  });

  test("secrets in the configuration do not print, and a bad one is not repeated in the fault", () => {
    const url = "postgres://user:canary-pw@host/db";
    const config = readConfig({ env: { DATABASE_URL: url, FETTLE_SECRET_KEY: `canary-${key}` } });
    expect(inspect(config, { depth: null }) + JSON.stringify(config)).not.toContain("canary");
    expect(() => readConfig({ env: { FETTLE_SECRET_KEY: "canary" } })).toThrow(/^((?!canary).)*$/s);
  });

  test("models come from a file and the providers' own variables, and a fault in them names the file and no key", () => {
    const file = join(temporaryFolder(), "fettle.yaml");
    const read = (text: string, env = {}) => {
      writeFileSync(file, text);
      return readConfig({ env: { FETTLE_CONFIG: file, ...env } }).models;
    };
    const models = read(
      "models: { providers: { openai: { apiKey: canary-1 } }, limits: { creditsPerDay: 5 } }",
      {
        MISTRAL_API_KEY: "canary-2",
      },
    );
    expect(models).toMatchObject({
      providers: { openai: { source: "config" }, mistral: { source: "env" } },
      limits: { creditsPerDay: 5 },
    });
    expect(inspect(models, { depth: null }) + JSON.stringify(models)).not.toContain("canary");
    for (const text of [
      "models: { providers: { openai: { apiKey: canary, more: 1 } } }",
      "models:\n  providers: openai: apiKey: canary",
      "models: { limits: { creditsPerDay: canary } }",
    ]) {
      expect(() => read(text)).toThrow(StartError);
      expect(() => read(text)).toThrow(/^(?=[\s\S]*fettle\.yaml)((?!canary)[\s\S])*$/);
    }
    expect(() => readConfig({ env: { FETTLE_CONFIG: "/nowhere.yaml" } })).toThrow(
      /\/nowhere\.yaml cannot be used/,
    );
  });

  const sender = { FETTLE_MAIL_FROM: "Fettle <Fettle@Example.com>", FETTLE_PUBLIC_URL: "https://a.example" };
  const mailAt = (url: string, more = {}) =>
    readConfig({ env: { FETTLE_SMTP_URL: url, ...sender, ...more } }).mail;
  test.each([
    ["smtp://mail.example.com", {}, "required"],
    ["smtps://u:p@mail.example.com:465", {}, "required"],
    ["smtp://127.0.0.1:2525", {}, "optional"],
    ["smtp://localhost", { FETTLE_SMTP_TLS: "required" }, "required"],
    ["smtp://mail.example.com", { FETTLE_SMTP_TLS: "optional" }, "optional"],
  ] as const)("letters to %s with %j demand TLS: %s", (url, more, tls) => {
    expect(mailAt(url, more)).toMatchObject({
      tls,
      origin: "https://a.example",
      from: { name: "Fettle", address: "fettle@example.com" },
    });
  });

  test.each([
    ["http://mail.example.com", {}, /FETTLE_SMTP_URL must/],
    ["smtp://u:canary%zz@mail.example.com", {}, /FETTLE_SMTP_URL must/],
    ["smtp://u:canary@mail.example.com/path", {}, /FETTLE_SMTP_URL must/],
    [
      "smtp://u:canary@mail.example.com",
      { FETTLE_PUBLIC_URL: "" },
      /needs FETTLE_MAIL_FROM and FETTLE_PUBLIC_URL/,
    ],
    ["smtp://u:canary@mail.example.com", { FETTLE_MAIL_FROM: "" }, /needs FETTLE_MAIL_FROM/],
    ["smtp://u:canary@mail.example.com", { FETTLE_MAIL_FROM: "Ada" }, /FETTLE_MAIL_FROM must/],
    [
      "smtp://u:canary@mail.example.com",
      { FETTLE_MAIL_FROM: "A\nBcc: e@x.com <a@x.com>" },
      /FETTLE_MAIL_FROM must/,
    ],
  ] as const)("letters cannot be set up with %s and %j, and no password is said back", (url, more, fault) => {
    expect(() => mailAt(url, more)).toThrow(fault);
    expect(() => mailAt(url, more)).toThrow(/^((?!canary).)*$/s);
  });

  test("listening beyond loopback means hosted mode, and local mode cannot be claimed there", () => {
    expect(readConfig({ env: { FETTLE_HOST: "0.0.0.0" } }).mode).toBe("hosted");
    expect(readConfig({ env: { FETTLE_MODE: "hosted" } }).mode).toBe("hosted");
    expect(() => readConfig({ env: { FETTLE_HOST: "0.0.0.0", FETTLE_MODE: "local" } })).toThrow(
      /FETTLE_MODE/,
    );
  });

  test("a flag's name is its option's key, so that the command line can hand its values over as they are", () => {
    for (const [name, { flag }] of Object.entries(options).filter(([, o]) => o.flag)) {
      const camelCase = flag!
        .split(" ")[0]!
        .slice(2)
        .replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
      expect(camelCase).toBe(name);
    }
  });
});

describe("refusing to listen", () => {
  const open = { host: "0.0.0.0", signIn: { methods: [], isConfigured: false }, secretKey: undefined };

  test.each(["127.0.0.1", "127.8.8.8", "localhost", "::1", "[::1]", "::ffff:127.0.0.1"])(
    "%s is loopback and needs nothing",
    (host) => {
      expect(isLoopbackHost(host)).toBe(true);
      expect(bindRefusal({ ...open, host })).toBeUndefined();
    },
  );

  test.each([
    "0.0.0.0",
    "::",
    "192.168.1.4",
    "10.0.0.1",
    "example.org",
    "localhost.example.org",
    "127.evil",
    "",
  ])("%j is not loopback and is refused", (host) => {
    expect(bindRefusal({ ...open, host })).toMatchObject({
      code: "BIND_REFUSED",
      hint: expect.stringMatching(/FETTLE_SIGN_IN.*FETTLE_SECRET_KEY/),
    });
  });

  test("only what is missing is asked for, and both settings together are enough", () => {
    const signIn = { methods: ["password" as const], isConfigured: true };
    expect(bindRefusal({ ...open, signIn })?.hint).not.toContain("FETTLE_SIGN_IN");
    expect(bindRefusal({ ...open, secretKey: new Secret(key) })?.hint).not.toContain("FETTLE_SECRET_KEY");
    expect(bindRefusal({ ...open, signIn, secretKey: new Secret(key) })).toBeUndefined();
  });
});

test("an OpenID provider is taken up when it is wholly described", () => {
  const env = {
    FETTLE_OIDC_ISSUER: "https://login.example.com/realm",
    FETTLE_OIDC_CLIENT_ID: "fettle",
    FETTLE_OIDC_CLIENT_SECRET: "canary",
    FETTLE_OIDC_DOMAINS: "Example.com, example.org",
  };
  const { signIn } = readConfig({ env });
  expect(signIn.methods).toEqual(["password", "oidc"]);
  expect(signIn.oidc).toMatchObject({
    clientId: "fettle",
    domains: ["example.com", "example.org"],
    role: "member",
  });
  expect(JSON.stringify(signIn)).not.toContain("canary");
});

test.each([
  [{ FETTLE_SIGN_IN: "oidc" }, /FETTLE_OIDC_ISSUER and FETTLE_OIDC_CLIENT_ID/],
  [{ FETTLE_OIDC_ISSUER: "https://login.example.com" }, /FETTLE_OIDC_CLIENT_ID/],
  [{ FETTLE_OIDC_ISSUER: "http://login.example.com" }, /FETTLE_OIDC_ISSUER must be an https address/],
  [{ FETTLE_OIDC_DOMAINS: "*" }, /FETTLE_OIDC_DOMAINS must be domain names/],
  [{ FETTLE_OIDC_ROLE: "owner" }, /FETTLE_OIDC_ROLE must be one of guest, member, admin/],
])("%j is refused", (env, message) => {
  expect(() => readConfig({ env })).toThrow(message);
});

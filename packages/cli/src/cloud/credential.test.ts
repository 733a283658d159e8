import { expect, test } from "vitest";
import { resolveCredential } from "./credential.ts";
import { defaultApiUrl, resolveDeployment } from "./deployment.ts";
import { parseStoredLogin, type StoredLogin } from "./stored-login.ts";

const login: StoredLogin = {
  version: 1,
  issuer: "https://app.example",
  clientId: "fettle-cli",
  tokenEndpoint: "https://app.example/oauth/token",
  apiUrl: "https://app.example/api/v1",
  accessToken: "token",
  refreshToken: "refresh",
  expiresAt: 1_000_000,
};
const now = 500_000;

test.each([
  [
    "the flag",
    { flag: "sk_flag", env: "sk_env", login },
    { kind: "api-key", source: "flag", key: "sk_flag" },
  ],
  [
    "the environment",
    { flag: undefined, env: "sk_env", login },
    { kind: "api-key", source: "env", key: "sk_env" },
  ],
  [
    "the login, when the variable is blank",
    { flag: undefined, env: "  ", login },
    { kind: "oauth", source: "oauth", login },
  ],
  ["nothing", { flag: undefined, env: undefined, login: undefined }, { kind: "none", source: "missing" }],
])("the credential is taken from %s", (_, sources, expected) => {
  expect(resolveCredential({ ...sources, now })).toEqual(expected);
});

test.each([
  ["flag", "pk_1"],
  ["flag", ""],
  ["flag", "sk_"],
  ["flag", "sk_a b"],
  ["env", "token"],
])("a %s of %j is an error, never passed over for the login", (source, key) => {
  const sources = { flag: undefined, env: undefined, login, now, [source]: key };
  expect(resolveCredential(sources)).toMatchObject({
    kind: "api-key",
    source,
    error: expect.stringContaining("sk_"),
  });
});

test("a login is dead only when it has expired and cannot be refreshed", () => {
  const { refreshToken: _, ...unrefreshable } = login;
  const errorAt = (held: StoredLogin, at: number) =>
    resolveCredential({ flag: undefined, env: undefined, login: held, now: at });
  expect(errorAt(login, 2_000_000)).not.toHaveProperty("error");
  expect(errorAt(unrefreshable, now)).not.toHaveProperty("error");
  expect(errorAt(unrefreshable, 2_000_000)).toHaveProperty("error");
});

const byKey = { kind: "api-key", source: "flag", key: "sk_1" } as const;
const byLogin = { kind: "oauth", source: "oauth", login } as const;

test.each([
  [
    "the flag",
    "https://a.example/api/v1/",
    "https://b.example/api/v1",
    byLogin,
    "https://a.example/api/v1",
    "flag",
  ],
  ["the environment", undefined, "https://b.example/x/api/v1", byLogin, "https://b.example/x/api/v1", "env"],
  ["the login in use", undefined, " ", byLogin, "https://app.example/api/v1", "oauth"],
  ["the default for a key, which inherits nothing", undefined, undefined, byKey, defaultApiUrl, "default"],
] as const)("the deployment is taken from %s", (_, flag, env, credential, apiUrl, source) => {
  expect(resolveDeployment({ flag, env, credential })).toEqual({ apiUrl, source });
});

test("an address without a path means the API below it", () => {
  const at = (flag: string) => resolveDeployment({ flag, env: undefined, credential: byKey }).apiUrl;
  expect([at("https://a.example"), at("http://127.0.0.1:7400/")]).toEqual([
    "https://a.example/api/v1",
    "http://127.0.0.1:7400/api/v1",
  ]);
});

test.each(["notaurl", "", "ftp://a.example", "https://user:pw@a.example", "https://a.example/api?x=1"])(
  "%j is no address of an API, and is reported as given",
  (given) => {
    const found = resolveDeployment({ flag: given, env: undefined, credential: byKey });
    expect(found).toEqual({ apiUrl: given, source: "flag", error: expect.stringContaining("--api-url") });
  },
);

test.each([
  [undefined],
  ["x"],
  [{ ...login, version: 2 }],
  [{ ...login, accessToken: "" }],
  [{ ...login, issuer: 1 }],
])("a file holding %j is no login", (value) => {
  expect(parseStoredLogin(value)).toBeUndefined();
});

test("an address that cannot be parsed is dropped from a login, and the login kept", () => {
  const { apiUrl: _, ...rest } = login;
  expect(parseStoredLogin({ ...login, apiUrl: "::", somethingNew: 1 })).toEqual(rest);
  expect(parseStoredLogin(login)).toEqual(login);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redact, redactArguments, redactArgv, redactedText, redactText, secretArguments } from "./redact.ts";
import { Secret } from "./secret.ts";
import { canaries } from "./testing/canaries.ts";

const canary = "cAnArY-9d2f4e.x_y~z";

describe("redacting values by their key", () => {
  test.each([
    "authorization",
    "Proxy-Authorization",
    "Cookie",
    "set-cookie",
    "api_key",
    "X-API-Key",
    "accessToken",
    "mcp_refresh_token",
    "client-secret",
    "idToken",
    "code_verifier",
  ])("%s is hidden at any depth", (key) => {
    const redacted = redact({ deep: [{ [key]: canary, list: { [key]: [canary, canary] } }] });
    expect(JSON.stringify(redacted)).not.toContain(canary);
    expect(redacted).toMatchObject({ deep: [{ [key]: redactedText }] });
  });

  test.each(["token", "tokens", "cookies", "author", "keyId", "status"])("%s is left as it is", (key) => {
    expect(redact({ [key]: "plain" })).toEqual({ [key]: "plain" });
  });

  test("an empty value and a value that is no text keep their shape", () => {
    expect(redact({ apiKey: "", clientSecret: null, idToken: { type: "string" }, cookie: 3 })).toEqual({
      apiKey: "",
      clientSecret: null,
      idToken: { type: "string" },
      cookie: 3,
    });
  });

  test("code is a grant and hidden, unless it reads like a machine's word or belongs to an error", () => {
    expect(redact({ code: "a1b2c3" })).toEqual({ code: redactedText });
    expect(redact({ code: "NOT_FOUND" })).toEqual({ code: "NOT_FOUND" });
    expect(redact({ code: -32601 })).toEqual({ code: -32601 });
    expect(redact({ code: "billing_limit_reached" })).toEqual({ code: "billing_limit_reached" });
    expect(redact({ code: "spl_xlobe_rrgd1" })).toEqual({ code: redactedText });
    expect(redact({ error: { code: "invalid_grant" }, snapshotError: { code: "x y" } })).toEqual({
      error: { code: "invalid_grant" },
      snapshotError: { code: "x y" },
    });
  });

  test("more keys may be named by the caller", () => {
    expect(
      redact({ DATABASE_URL: canary, pass_word: canary }, { alsoKeys: /password$|^databaseurl$/ }),
    ).toEqual({
      DATABASE_URL: redactedText,
      pass_word: redactedText,
    });
  });
});

describe("redacting what a tool is called with", () => {
  const args = {
    city: "Graz",
    password: canary,
    nested: [{ apiToken: canary, credentials: { user: canary, no: 7 } }],
  };
  const hidden = {
    city: "Graz",
    password: redactedText,
    nested: [{ apiToken: redactedText, credentials: { user: redactedText, no: redactedText } }],
  };

  test("names that say secret hide all that is under them", () => {
    expect(redactArguments(args)).toEqual(hidden);
    expect(secretArguments(args)).toEqual([canary, canary, canary, "7"]);
  });

  test("a message that calls is recognised; a schema or a prompt's definition is left alone", () => {
    expect(redact({ method: "tools/call", params: { name: "x", arguments: args } })).toEqual({
      method: "tools/call",
      params: { name: "x", arguments: hidden },
    });
    const schema = { properties: { name: { type: "string" }, arguments: { password: { type: "string" } } } };
    const prompt = { name: "x", arguments: [{ name: "token", description: "of yours" }] };
    expect(redact({ schema, prompt })).toEqual({ schema, prompt });
  });

  test("an argument that travels as a header is hidden by the same names", () => {
    expect(redact({ "mcp-param-token": canary, "mcp-param-region": "eu" })).toEqual({
      "mcp-param-token": redactedText,
      "mcp-param-region": "eu",
    });
  });
});

describe("redacting passages of text", () => {
  test.each([
    [`Authorization: Bearer ${canary}`, "Authorization: [REDACTED]"],
    [
      `GET / HTTP/1.1\r\nCookie: a=${canary}; b=2\r\nHost: x`,
      "GET / HTTP/1.1\r\nCookie: [REDACTED]\r\nHost: x",
    ],
    [`sent "authorization: Basic ${canary}" twice`, 'sent "authorization: [REDACTED]" twice'],
    [`failed with Bearer ${canary}.`, "failed with Bearer [REDACTED]"],
    ["sent Bearer challenge-4711", "sent Bearer [REDACTED]"],
    ["sent Bearer tokenoflength", "sent Bearer [REDACTED]"],
    [`https://h/cb?access_token=${canary}&b=1`, "https://h/cb?access_token=[REDACTED]&b=1"],
    [`https://h/cb?state=s&code=${canary}#x`, "https://h/cb?state=s&code=[REDACTED]#x"],
    [`grant_type=x&client_secret=${canary}&b`, "grant_type=x&client_secret=[REDACTED]&b"],
    [`{"a":1,"refresh_token": "${canary}","b":2}`, '{"a":1,"refresh_token": "[REDACTED]","b":2}'],
    [`"{\\"access_token\\":\\"${canary}\\",\\"b\\":2}"`, '"{\\"access_token\\":\\"[REDACTED]\\",\\"b\\":2}"'],
    [`{"id_token":"${canary}`, '{"id_token":"[REDACTED]'],
    [`postgres://user:${canary}@host:5432/db`, "postgres://[REDACTED]@host:5432/db"],
    [`https://${canary}@host/path`, "https://[REDACTED]@host/path"],
    ["key sk_AbCd1234EfGh5678 refused", "key [REDACTED] refused"],
    [`open /login#token=fsl_${"aB3".repeat(16)}x`, "open /login#token=[REDACTED]"],
  ])("%s", (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  test.each([
    "the bearer of news",
    "The 403 has no Bearer challenge.",
    "It wants a bearer token. Or Basic authentication, with a Bearer scheme",
    "a code=ABC",
    "sk_short",
    "mailto:me@host",
    "https://host/@user",
    "id: token",
  ])("%s is left as it is", (text) => expect(redactText(text)).toBe(text));

  describe.each(canaries)("$kind", ({ said, secret }) => {
    test.each([
      ["alone", said],
      ["in a sentence", `It said ${said} and no more.`],
      ["in JSON", JSON.stringify({ text: said })],
      ["in JSON in JSON", JSON.stringify({ text: JSON.stringify({ said }) })],
      ["twice", `${said}\n${said}`],
    ])("is hidden %s", (_, text) => {
      const hidden = redactText(text);
      expect(hidden).not.toContain(secret);
      expect(redactText(hidden)).toBe(hidden);
      expect(JSON.stringify(redact({ deep: [text] }))).not.toContain(secret);
    });
  });

  test.each(["DB_PASSWORD", "ACME_TOKEN", "dbPassword", "stripe_secret", "sshPrivateKey", "botToken"])(
    "a value under %s is hidden, whatever it looks like",
    (key) => expect(redact({ env: { [key]: "plain" } })).toEqual({ env: { [key]: redactedText } }),
  );

  test.each([
    "PWD=/home/ada HOME=/root TOKEN=$OTHER SECRET=<yours> MAX_TOKENS=4096 USE_TOKEN=true",
    '{"nextPageToken":"abc","token":"x","secrets":3}',
    "https://shop.example/books?sortKey=price&page=2&token=***",
    "task-list-with-a-long-hyphenated-name and risk-management-and-other-long-words",
    "-----BEGIN CERTIFICATE-----",
  ])("%s is no credential", (text) => expect(redactText(text)).toBe(text));

  test("redacting twice changes nothing more", () => {
    const pieces = fc.constantFrom(
      "Authorization: Bearer ",
      "access_token=",
      '"client_secret":"',
      "https://u:p@",
      "sk_",
      "\\",
      '"',
      "\n",
      "&code=",
      "DB_PASSWORD=",
      "sk-",
      "AKIA",
      "-----BEGIN PRIVATE KEY-----",
      '"secret": "',
      "?token=",
      "abcdefgh1",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (words) => {
        const once = redactText(words.join(""));
        expect(redactText(once)).toBe(once);
      }),
    );
  });

  test.each([
    "a",
    "a-",
    "\\",
    " ",
    "cookie",
    "cookie: ",
    "x://",
    "x://u:p",
    "api_key",
    "sk_",
    "bearer ",
    'id_token":"\\',
    "A_",
    "A_TOKEN",
    "eyJaaaaaaaaaaa.",
    "-----BEGIN ",
    `-----BEGIN PRIVATE KEY-----\n${"A".repeat(64)}\n`,
    "?token=",
    '\\"secret\\":\\"',
    'cookie":["',
  ])("a long run of %j costs no more than its length", (piece) => {
    const startedAt = performance.now();
    redactText(piece.repeat(100_000 / piece.length));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe("redacting what is not plain data", () => {
  test("errors keep their name, code and chain, and lose their credentials", () => {
    const cause = Object.assign(new Error(`Bearer ${canary}`), {
      code: "ECONNRESET",
      headers: { cookie: canary },
    });
    const redacted = redact({ error: new TypeError(`GET https://u:${canary}@h failed`, { cause }) });
    expect(JSON.stringify(redacted)).not.toContain(canary);
    expect(redacted).toMatchObject({ error: { name: "TypeError", cause: { code: "ECONNRESET" } } });
  });

  test("a failed statement keeps its words and loses its parameters", () => {
    const said = "seen before\nparams: none\nFailed query: insert into keys values ($1)";
    expect(redactText(`${said}\nparams: ${canary}`)).toBe(`${said}\nparams: ${redactedText}`);
    expect(redactText("no statement\nparams: 1")).toBe("no statement\nparams: 1");
    expect(redactText("Failed query: select 1")).toBe("Failed query: select 1");
  });

  test("an error of the database keeps what names the fault, and loses what quotes a row", () => {
    const ofDatabase = {
      severity: "ERROR",
      routine: "exec",
      constraint: "keys_pkey",
      detail: canary,
      where: canary,
      internalQuery: canary,
    };
    const redacted = redact(
      Object.assign(new Error(`invalid input: "${canary}"`), ofDatabase, { code: "22P02" }),
    );
    expect(JSON.stringify(redacted)).not.toContain(canary);
    expect(redacted).toMatchObject({ message: "invalid input", code: "22P02", constraint: "keys_pkey" });
    const query = Object.assign(new Error('"name" is missing: "id"'), {
      query: "select",
      code: "42703",
      params: [canary],
      parameters: canary,
    });
    expect(redact(query)).toMatchObject({ message: '"name" is missing: "id"', query: "select" });
    expect(JSON.stringify(redact(query))).not.toContain(canary);
    for (const other of [{}, { severity: "high" }, { routine: "daily" }]) {
      const error = Object.assign(new Error("x"), other, { detail: "of another kind" });
      expect(redact(error)).toMatchObject({ detail: "of another kind" });
    }
  });

  test("a stack keeps its places, and loses the words that come before them", () => {
    const places = "\n    at read (store.ts:3:7)\n    at run (job.ts:9:1)";
    const stackOf = (message: string, stack: string | undefined) =>
      redact(Object.assign(new Error(message), { stack }));
    const said = `Bearer ${canary}\n    at home`;
    expect(stackOf(said, `Error: ${said}${places}`)).toMatchObject({
      stack: `Error: Bearer ${redactedText}\n    at home${places}`,
    });
    expect(stackOf("changed", `Error: as thrown ${canary}${places}`)).toMatchObject({
      stack: `Error: changed${places}`,
    });
    expect(stackOf("none", undefined)).not.toHaveProperty("stack");
  });

  test("secrets, maps, addresses, bytes and circles are all printable", () => {
    const circle: Record<string, unknown> = { at: new Date(0), big: 3n, bytes: new Uint8Array(3) };
    circle.self = circle;
    const redacted = redact({
      circle,
      secret: new Secret(canary),
      headers: new Map([["Authorization", canary]]),
      url: new URL(`https://u:${canary}@host/?access_token=${canary}`),
      set: new Set([`sk_${"a".repeat(20)}`]),
    });
    expect(JSON.stringify(redacted)).not.toContain(canary);
    expect(redacted).toMatchObject({
      circle: { at: "1970-01-01T00:00:00.000Z", big: "3", bytes: "[3 bytes]", self: "[circular]" },
      secret: "[redacted]",
      headers: { Authorization: redactedText },
      set: [redactedText],
    });
  });

  test("what JSON cannot hold is left out", () => {
    expect(redact({ run: () => canary, mark: Symbol(canary), rest: 1 })).toEqual({ rest: 1 });
    expect([redact(() => canary), redact(Symbol(canary))]).toEqual([undefined, undefined]);
  });

  test("one object met twice is shown twice", () => {
    const shared = { a: 1 };
    expect(redact([shared, shared])).toEqual([shared, shared]);
  });

  test("command-line words lose the values of credential flags", () => {
    const argv = [
      "cloud",
      "--api-key",
      canary,
      `--token=${canary}`,
      "--header",
      `X-Key: ${canary}`,
      `https://u:${canary}@h`,
    ];
    const redacted = redactArgv(argv);
    expect(redacted.join(" ")).not.toContain(canary);
    expect(redacted).toEqual([
      "cloud",
      "--api-key",
      redactedText,
      `--token=${redactedText}`,
      "--header",
      `X-Key: ${redactedText}`,
      `https://${redactedText}@h`,
    ]);
  });

  test.each([
    [["--github-token", canary]],
    [["--API_KEY", canary]],
    [["-token", canary]],
    [["--dbPassword", canary]],
    [["--auth", canary]],
    [["--token", "--verbose", "--secret", canary]],
    [["--credentials", canary]],
    [[`--stripe-secret-key=${canary}`]],
    [["-e", `SLACK_BOT_TOKEN=${canary}`]],
    [[`--header=X-Key: ${canary}`]],
    [["-H", canary]],
    [[`https://host/mcp?a=1&key=${canary}#x`]],
    [[`--dsn=postgres://u:p@${canary}@host/db`]],
  ])("%j loses its value", (argv) => {
    expect(redactArgv(argv).join(" ")).not.toContain(canary);
  });

  test("words that tell no secret stay as they are", () => {
    const argv = [
      "server.js",
      "--author",
      "ada",
      "--root=/data",
      "--auth",
      "--port=3",
      "--monitor",
      "x",
      "a=b",
    ];
    expect(redactArgv(argv)).toEqual(argv);
  });
});

test("a challenge is not a credential, and stays readable", () => {
  const challenge = 'Bearer error="invalid_token", resource_metadata="https://a.example/.well-known/x"';
  expect(redactText(challenge)).toBe(challenge);
  expect(redact({ wwwAuthenticate: 'Basic realm="shop"' })).toEqual({
    wwwAuthenticate: 'Basic realm="shop"',
  });
  expect(redactText(`Bearer ${canary}`)).not.toContain(canary);
});

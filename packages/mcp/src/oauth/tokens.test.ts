import { expect, test } from "vitest";
import { readTokenAnswer } from "./tokens.ts";

const answer = (body: object) => ({
  status: 200,
  headers: {},
  body: { access_token: "secret-token", ...body },
  text: "",
});

test.each([[{}], [{ token_type: "Bearer" }], [{ token_type: "bearer" }], [{ token_type: "BEARER" }]])(
  "a token answered with %j is a bearer",
  (body) => {
    expect(readTokenAnswer(answer(body))).toMatchObject({ accessToken: "secret-token", tokenType: "Bearer" });
  },
);

test.each(["DPoP", "mac", "", "Bearer, DPoP", "N_A", null, 7, ["Bearer"]])(
  "a token of the type %j is never used, and nobody sees it",
  (token_type) => {
    const read = () => readTokenAnswer(answer({ token_type }));
    expect(read).toThrow(expect.objectContaining({ code: "OAUTH", hint: expect.stringContaining("Bearer") }));
    expect(read).not.toThrow("secret-token");
  },
);

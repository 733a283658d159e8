/** @module How request bodies are read: JSON objects only, an empty one counts as `{}`. */
import { ApiError, limits } from "@fettle/contract/core";
import { mayHoldLongNumber, parseExactNumbers } from "@fettle/contract/formats";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** The body may hold the zero character, which only some places keep. */
    holdsZero: boolean;
  }
}

export function readJsonBody(server: FastifyInstance): void {
  server.decorateRequest("holdsZero", false);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", { parseAs: "string" }, (request, text, done) => {
    const body = text.toString();
    if (body.trim() === "") return done(null, {});
    const value = parse(body);
    if (value === undefined) return done(refusal("malformed_json", "The body is not JSON."));
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return done(refusal("not_an_object", "The body must be a JSON object."));
    }
    if (body.length > limits.ingest.maxBodyDepth && nestsDeeper(value, limits.ingest.maxBodyDepth)) {
      return done(refusal("too_deep", `The body nests deeper than ${limits.ingest.maxBodyDepth} levels.`));
    }
    if (halfCharacter.test(body) && holdsHalfCharacter(value)) {
      return done(
        refusal(
          "unstorable_text",
          "The body holds half of a character: a surrogate (\\ud800 to \\udfff) alone.",
        ),
      );
    }
    request.holdsZero = body.includes("\\u0000");
    const { exactNumbers } = request.routeOptions.config;
    done(null, exactNumbers && mayHoldLongNumber(body) ? parseExactNumbers(body) : value);
  });
}

/** A key called `__proto__` is a key like any other: it is on the value itself, and where nobody knows it, it is refused as such. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON may write half of a character that takes two; no database keeps one, and no other text may hold it. */
const halfCharacter = /\\u[dD][89a-fA-F]/;

function holdsHalfCharacter(value: unknown): boolean {
  if (typeof value === "string") return !value.isWellFormed();
  if (!isContainer(value)) return false;
  return Object.entries(value).some(([key, item]) => !key.isWellFormed() || holdsHalfCharacter(item));
}

/** Level by level, because what is too deep is too deep for recursion too. */
function nestsDeeper(value: object, most: number): boolean {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true;
    level = level.flatMap((item) => Object.values(item).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** For the few routes whose callers speak OAuth's forms; on its own scope, so that no JSON route takes one. */
export function readFormBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_, text, done) => {
    done(null, new URLSearchParams(text.toString()));
  });
}

/** For a route that passes bodies on without looking into them. */
export function leaveBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined));
}

function refusal(reason: string, message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", message, { path: "body", reason });
}

/**
 * What a broken shop is, and how what is asked and answered is bent for one.
 * @module
 */
import type { Bend } from "./bend.ts";

export interface BrokenShop {
  /** What is wrong, as a sentence. */
  about: string;
  bend: { authorization?: Bend; shop?: Bend };
  tokens?: TokenHabits;
}

/** How tokens are made and checked; as they should be unless said. */
export interface TokenHabits {
  /** Made for whatever resource is asked for. */
  forAnyResource?: true;
  /** A text that says nothing; the authorization server can be asked about it. */
  opaque?: true;
  /** The shop does not look at whom they are for. */
  audienceUnchecked?: true;
}

export const metadataPath = /^\/\.well-known\/(oauth-authorization-server|openid-configuration)/;
export const pathOf = (request: Request) => new URL(request.url).pathname;

/** Changes a JSON document on its way out. */
export async function edited(
  response: Response,
  edit: (document: Record<string, unknown>) => Record<string, unknown>,
): Promise<Response> {
  const document = (await response.json()) as Record<string, unknown>;
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  return new Response(JSON.stringify(edit(document)), { status: response.status, headers });
}

export const editMetadata =
  (edit: (document: Record<string, unknown>) => Record<string, unknown>): Bend =>
  async (request, next) => {
    const response = await next(request);
    return metadataPath.test(pathOf(request)) && response.ok ? edited(response, edit) : response;
  };

export const without = (name: string) => (document: Record<string, unknown>) => {
  const { [name]: _dropped, ...rest } = document;
  return rest;
};

/** The form of a request, which can be read once. */
export async function formOf(request: Request): Promise<URLSearchParams | undefined> {
  const isForm = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
  return isForm ? new URLSearchParams(await request.text()) : undefined;
}

export async function passedOn(
  request: Request,
  url: URL,
  form: URLSearchParams | undefined,
): Promise<Request> {
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  const { method } = request;
  if (form) return new Request(url, { method, headers, body: form.toString() });
  const isBare = method === "GET" || method === "HEAD";
  return new Request(url, { method, headers, ...(!isBare && { body: await request.arrayBuffer() }) });
}

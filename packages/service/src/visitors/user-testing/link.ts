/** @module Links that people are given: found by their hash, and kept sealed so that whoever runs the test can show them again. */

import type { App } from "../../core/app.ts";
import { hashToken, mintToken } from "../../people/accounts/tokens.ts";

export interface KeptLink {
  linkHash: string;
  sealedLink: string;
}

/** `place`: the row it belongs to, such as `scenarios/scn_1`. */
export function makeLink(app: App, place: string): KeptLink {
  const { token, hash } = mintToken("scenarioLink");
  return { linkHash: hash, sealedLink: app.vault.seal(token, `${place}/link`) };
}

export function linkPath(app: App, place: string, { sealedLink }: KeptLink): string {
  return `/t/${app.vault.open(sealedLink, `${place}/link`).reveal()}`;
}

export const linkHashOf = hashToken;

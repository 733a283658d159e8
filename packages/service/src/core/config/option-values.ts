/** @module What options must be: each reader throws an Error whose message completes "<name> must …". */
import { createPrivateKey } from "node:crypto";
import { isIP } from "node:net";
import { Email } from "@fettle/contract/people";
import { Secret } from "@fettle/contract/secrets";

export function integer(minimum: number, maximum: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < minimum || value > maximum) {
      throw new Error(`be a whole number from ${minimum} to ${maximum}`);
    }
    return value;
  };
}

export function oneOf<const Word extends string>(...words: Word[]) {
  return (text: string): Word => {
    const word = words.find((candidate) => candidate === text);
    if (word === undefined) throw new Error(`be one of ${words.join(", ")}`);
    return word;
  };
}

export function secretKey(text: string): Secret {
  if (text.length < 32) throw new Error("have at least 32 characters; `openssl rand -hex 32` makes one");
  return new Secret(text);
}

export function privateKey(text: string): Secret {
  const pem = text.replaceAll("\\n", "\n");
  try {
    createPrivateKey(pem);
  } catch {
    throw new Error("be a private key as PEM");
  }
  return new Secret(pem);
}

export function apiUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") throw new Error("be an http or https address");
  return url.href.replace(/\/+$/, "");
}

/** It is shown to people as the name of a source, and asked without a credential. */
export function registryUrl(text: string): URL {
  const url = new URL(apiUrl(text));
  if (url.username || url.password || url.hash) throw new Error("have no user, password or fragment");
  return url;
}

export function databaseUrl(text: string): Secret {
  const url = URL.parse(text);
  if (url?.protocol !== "postgres:" && url?.protocol !== "postgresql:") {
    throw new Error("look like postgres://user:password@host:5432/database");
  }
  return new Secret(text);
}

/** Plain HTTP to another machine would let anyone between sign in as anyone. */
export function issuerUrl(text: string): URL {
  const url = URL.parse(text);
  const isPlainLoopback = url?.protocol === "http:" && isLoopbackHost(url.hostname);
  if (url?.protocol !== "https:" && !isPlainLoopback) throw new Error("be an https address");
  if (url?.search || url?.hash) throw new Error("have no query or fragment");
  return url;
}

export function domainNames(text: string): string[] {
  const names = text.split(",").map((word) => word.trim().toLowerCase());
  if (!names.every((name) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name))) {
    throw new Error("be domain names separated by commas, such as example.com");
  }
  return names;
}

export function mailServerUrl(text: string): Secret {
  const url = URL.parse(text);
  const isMail = url?.protocol === "smtp:" || url?.protocol === "smtps:";
  if (!isMail || !url.hostname || url.search || url.hash || !/^\/?$/.test(url.pathname)) {
    throw new Error(
      "look like smtp://user:password@mail.example.com:587, or smtps:// for TLS from the first byte",
    );
  }
  try {
    decodeURIComponent(url.username + url.password);
  } catch {
    throw new Error("have a user and password in which % is written %25");
  }
  return new Secret(text);
}

export interface MailAddress {
  name: string;
  address: string;
}

/** `Fettle <fettle@example.com>`, or the address alone. Nothing in it may end a line: it becomes a header. */
export function mailAddress(text: string): MailAddress {
  const [, name = "", inside] = /^([^<>\p{Cc}]*)<([^<>]+)>$/u.exec(text.trim()) ?? [];
  const address = Email.safeParse(inside ?? text).data;
  if (address === undefined) throw new Error("be an email address, such as Fettle <fettle@example.com>");
  return { name: name.trim() || "Fettle", address };
}

export function webUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") throw new Error("be an http or https address");
  if (url.pathname !== "/" || url.search || url.hash) throw new Error("have no path, query or fragment");
  return url;
}

export type SignInMethod = "password" | "oidc";
export type LogLevel = "debug" | "info" | "warn" | "error";

export function signInMethods(text: string): SignInMethod[] {
  return text.split(",").map((word) => oneOf("password", "oidc")(word.trim()));
}

/** A name other than `localhost` counts as reachable from outside: what it resolves to may change. */
export function isLoopbackHost(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (address === "localhost") return true;
  if (isIP(address) === 4) return address.startsWith("127.");
  return isIP(address) === 6 && (address === "::1" || address.startsWith("::ffff:127."));
}

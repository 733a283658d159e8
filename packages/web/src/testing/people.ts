/** @module The people of the browser tests, and how they come in. */
import type { BrowserContext, Page } from "playwright-core";
import { ready } from "./browser.ts";

export const ana = { name: "Ana Duarte", email: "ana@northwind.example", password: "plum harbour sixteen" };
export const clara = {
  name: "Clara Okafor",
  email: "clara@northwind.example",
  password: "copper lantern fields",
};
export const bruno = {
  name: "Bruno Keller",
  email: "bruno@northwind.example",
  password: "violet ladder mornings",
};

/** The first run, by the link printed at start. */
export async function setUp(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Your name").fill(ana.name);
  await page.getByLabel("Email").fill(ana.email);
  await page.getByLabel("Password", { exact: true }).fill(ana.password);
  await page.getByLabel("Organization").fill("Northwind");
  await page.getByRole("button", { name: "Set up" }).click();
  await page.waitForURL(/\/(p|o)\//);
  await ready(page);
}

export async function signIn(
  page: Page,
  url: string,
  person: { email: string; password: string },
): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/(p|o)\//);
  await ready(page);
}

/** Makes an account for someone the owner invites; their browser is signed in afterwards. */
export async function joinAs(
  person: { name: string; email: string; password: string },
  browsers: { owner: BrowserContext; theirs: BrowserContext },
  { url, organizationId }: { url: string; organizationId: string | null },
  role: "admin" | "member" = "member",
): Promise<void> {
  const headers = { "x-fettle-app": "1", origin: url };
  const invited = await browsers.owner.request.post(
    `${url}/app/organizations/${organizationId}/invitations`,
    {
      headers,
      data: { email: person.email, role },
      failOnStatusCode: true,
    },
  );
  const invitationToken = new URLSearchParams(new URL((await invited.json()).url).hash.slice(1)).get("token");
  const { name, password } = person;
  await browsers.theirs.request.post(`${url}/app/sign-up`, {
    headers,
    data: { invitationToken, name, password },
    failOnStatusCode: true,
  });
}

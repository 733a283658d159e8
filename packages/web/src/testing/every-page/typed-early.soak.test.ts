/** What is typed into a form the moment it appears stays there, however late the rest of the page comes. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressOf, pages } from "../../pages/pages.ts";
import { launchBrowser, openPage, ready, type Watched } from "../browser.ts";
import { type Deployment, startDeployment } from "../deployment.ts";
import { makePlaces, type Places } from "./places.ts";

let browser: Browser;
let deployment: Deployment;
let places: Places["places"];
let visitor: Watched;

beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment({ sample: true })]);
  const made = await makePlaces(browser, deployment);
  places = made.places;
  visitor = await openPage(browser);
  await visitor.context.addCookies(made.cookies);
  await visitor.context.addInitScript(typeIntoWhatAppears);
  // Answers come late and out of order; streams stay as they are.
  await visitor.context.route(/\/(api\/v1|app)\//, async (route) => {
    const late = route.request().url().length % 3;
    await new Promise((resolve) => setTimeout(resolve, 200 + late * 350));
    await route.continue().catch(() => {});
  });
});
afterAll(async () => {
  await visitor[Symbol.asyncDispose]();
  await browser.close();
  await deployment.stop();
});

/** Runs in the page: whatever can be written in gets a mark as soon as it is there. */
function typeIntoWhatAppears(): void {
  const typed: { field: HTMLInputElement | HTMLTextAreaElement; name: string; value: string }[] = [];
  const seen = new WeakSet<Element>();
  const names = (field: Element) =>
    field.getAttribute("aria-label") ??
    (field.id && document.querySelector(`label[for="${CSS.escape(field.id)}"]`)?.textContent) ??
    field.getAttribute("name") ??
    "";
  let typing = Promise.resolve();
  const look = () => {
    for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      "textarea, input:not([type]), input[type=text], input[type=search], input[type=url], input[type=email]",
    )) {
      if (seen.has(field)) continue;
      // One after the other, as a person does, and not all in the moment in which the page is drawn.
      typing = typing
        .then(() => new Promise((resolve) => setTimeout(resolve, 0)))
        .then(() => typeInto(field));
    }
  };
  const typeInto = (field: HTMLInputElement | HTMLTextAreaElement) => {
    if (seen.has(field) || field.matches(":disabled") || field.readOnly || !field.checkVisibility()) return;
    seen.add(field);
    const value = `${field.value}zz`;
    const proto = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(proto.prototype, "value")?.set?.call(field, value);
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    typed.push({ field, name: String(names(field)).trim(), value });
  };
  addEventListener("DOMContentLoaded", () => {
    new MutationObserver(() => requestAnimationFrame(look)).observe(document, {
      childList: true,
      subtree: true,
      attributes: true,
    });
  });
  Object.assign(window, {
    lostWords: () =>
      typed.flatMap(({ field, name, value }) => {
        if (field.isConnected)
          return field.value.includes("zz") ? [] : [`${name}: "${value}" became "${field.value}"`];
        // Taken away for another of the same name: what was typed went with it.
        const again = typed.find(
          (other) => other.field !== field && other.name === name && other.field.isConnected,
        );
        return again ? [`${name}: shown twice`] : [];
      }),
    typedCount: () => typed.length,
  });
}

declare global {
  interface Window {
    lostWords(): string[];
    typedCount(): number;
  }
}

async function look(page: Page, address: string): Promise<{ lost: string[]; typed: number }> {
  await page.goto(deployment.url + address);
  await ready(page);
  await page.locator("[data-state=loading]").first().waitFor({ state: "detached" });
  // Longer than the latest answer.
  await page.waitForTimeout(1_500);
  return page.evaluate(() => ({ lost: window.lostWords(), typed: window.typedCount() }));
}

test("nothing that was typed early is lost, on any page", async () => {
  const { page } = visitor;
  const lost: Record<string, string[]> = {};
  let typed = 0;
  for (const declared of pages.filter(({ id }) => id !== "login")) {
    for (const more of ["", "?do=new"]) {
      const address = addressOf(declared, places) + more;
      const found = await look(page, address).catch((error: Error) => ({ lost: [error.message], typed: 0 }));
      typed += found.typed;
      if (found.lost.length > 0) lost[address] = found.lost;
    }
  }
  expect(lost).toEqual({});
  expect(typed).toBeGreaterThan(100);
});

import { ClientConfig, clientTemplateIds } from "@fettle/contract/environments";
import { expect, it } from "vitest";
import { loadHosts } from "./host.ts";
import { loadTemplates } from "./host-template.ts";

it("offers the twelve templates, each a whole and valid config", async () => {
  const templates = await loadTemplates();
  expect(templates.map(({ id }) => id)).toEqual([...clientTemplateIds]);
  for (const { config } of templates) expect(ClientConfig.parse(config)).toEqual(config);
});

it("gives every caller a copy of their own", async () => {
  const [one] = await loadTemplates();
  one!.config.modelId = "changed";
  const [other] = await loadTemplates();
  expect(other!.config.modelId).not.toBe("changed");
});

it("offers a theme only where the host has one", async () => {
  const themes = Object.fromEntries((await loadTemplates()).map(({ id, themes }) => [id, themes]));
  expect(themes).toMatchObject({ claude: ["light", "dark"], "claude-code": [] });
});

it("every host of the catalogue can be chosen", async () => {
  const hosts = (await loadHosts()).map(({ id }) => id);
  expect(hosts.toSorted()).toEqual([...clientTemplateIds].toSorted());
});

/** @module Which page is open, with which parameters and in which organization and project. */
import { holdsOrganizationRole } from "@fettle/contract/core";
import { useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { useMemo } from "react";
import { bootstrapQuery, useOperation } from "../api/operation.ts";
import { readStored } from "../lib/storage.ts";
import type { PageDeclaration } from "./page.ts";
import { type AppPageId, matchPage, pageById } from "./pages.ts";

export interface OpenPage {
  page: PageDeclaration | undefined;
  parameters: Record<string, string>;
}

export function useOpenPage(): OpenPage {
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  return useMemo(() => {
    const match = matchPage(pathname);
    return { page: match?.page, parameters: match?.parameters ?? {} };
  }, [pathname]);
}

/** The signed-in person; the router lets no page of the app render without one. */
export function useBootstrap() {
  const { data } = useQuery(bootstrapQuery);
  if (!data?.user) throw new Error("No page of the app renders before it is known who is signed in.");
  return { ...data, user: data.user };
}

/** The organization and project around the open page; on account pages, the ones last visited. */
export function usePlace() {
  const { organizations } = useBootstrap();
  const { page, parameters } = useOpenPage();
  const last = page?.area === "account" ? lastPlace() : {};
  const projectId = parameters.pid ?? (parameters.org ? undefined : last.pid);
  const project = useOperation("getProject", { projectId: projectId ?? "" }).data;
  const organizationId = parameters.org ?? project?.organizationId ?? last.org ?? organizations[0]?.id;
  return {
    organization: organizations.find((each) => each.id === organizationId),
    project,
    isProjectPage: page?.area === "project",
  };
}

/** Why the page's main action is not this person's to start; undefined when it is. */
export function useRefusal(id: AppPageId): string | undefined {
  const { area, action } = pageById(id);
  const { organization, project } = usePlace();
  if (!action?.needs) return undefined;
  const held = area === "organization" ? organization?.role : project?.role;
  const may =
    area === "organization"
      ? !organization || holdsOrganizationRole(organization.role, action.needs)
      : !project || project.role === action.needs;
  return may ? undefined : action.refusal?.replace("{role}", held ?? "");
}

export function lastPlace(): { org?: string; pid?: string } {
  const stored = readStored("place");
  if (typeof stored !== "object" || stored === null) return {};
  const { org, pid } = stored as { org?: unknown; pid?: unknown };
  return { ...(typeof org === "string" && { org }), ...(typeof pid === "string" && { pid }) };
}

/** @module Switches organization and project. */
import { useNavigate } from "@tanstack/react-router";
import { Boxes, Check, ChevronsUpDown, Plus } from "lucide-react";
import { useOperation } from "../../api/operation.ts";
import {
  CreateOrganization,
  createOrganizationOpen,
} from "../../features/organization/parts/create-organization.tsx";
import { useBootstrap, usePlace } from "../../pages/page-context.tsx";
import { pagePath } from "../../pages/pages.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../../ui/menu.tsx";

export function PlaceSwitcher() {
  const { organizations } = useBootstrap();
  const { organization, project } = usePlace();
  const projects = useOperation("listProjects", { query: { organizationId: organization?.id ?? "" } }).data;
  const navigate = useNavigate();
  const go = (to: string) => void navigate({ to });
  const name = project?.name ?? organization?.name ?? "Choose a place";
  const tick = <Check aria-hidden="true" className="size-4 text-accent-text" />;
  return (
    <>
      <Menu
        align="start"
        className="w-66"
        trigger={
          <button
            type="button"
            className="flex w-full items-center gap-2.5 rounded-control px-1.5 py-1.5 text-left transition-colors duration-(--quick) hover:bg-hover data-[state=open]:bg-selected"
          >
            <Avatar name={name} square />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium text-base leading-5">{name}</span>
              {project && <span className="block truncate text-faint text-xs">{organization?.name}</span>}
            </span>
            <ChevronsUpDown aria-hidden="true" className="size-3.5 text-faint" />
            <span className="sr-only">Switch organization or project</span>
          </button>
        }
      >
        {organization && (
          <>
            <MenuLabel>Projects of {organization.name}</MenuLabel>
            {projects?.items.map((each) => (
              <MenuItem
                key={each.id}
                icon={<Avatar name={each.name} square />}
                end={each.id === project?.id && tick}
                onSelect={() => go(pagePath("project-home", { pid: each.id }))}
              >
                {each.name}
              </MenuItem>
            ))}
            <MenuItem
              icon={<Boxes aria-hidden="true" className="mx-1 size-4" />}
              onSelect={() => go(pagePath("organization-home", { org: organization.id }))}
            >
              All projects
            </MenuItem>
            <MenuSeparator />
          </>
        )}
        <MenuLabel>Organizations</MenuLabel>
        {organizations.map((each) => (
          <MenuItem
            key={each.id}
            icon={<Avatar name={each.name} square />}
            end={each.id === organization?.id && tick}
            onSelect={() => go(pagePath("organization-home", { org: each.id }))}
          >
            {each.name}
          </MenuItem>
        ))}
        <MenuItem
          icon={<Plus aria-hidden="true" className="mx-1 size-4" />}
          onSelect={() => createOrganizationOpen.set(true)}
        >
          New organization
        </MenuItem>
      </Menu>
      <CreateOrganization />
    </>
  );
}

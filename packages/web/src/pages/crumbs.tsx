/** @module Where the open page is: organization, project, page. */
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import type { PageDeclaration } from "./page.ts";
import { useOpenPage, usePlace } from "./page-context.tsx";
import { PageLink } from "./page-link.tsx";
import { addressOf } from "./pages.ts";

const linkClass = "truncate rounded-[4px] text-soft hover:text-text";

export interface CrumbsProps {
  page: PageDeclaration;
  heading: string;
  /** The section of the heading's thing that the page belongs to, where it is not one itself. */
  section?: PageDeclaration | undefined;
}

export function Crumbs({ page, heading, section }: CrumbsProps) {
  const { organization, project } = usePlace();
  const { parameters } = useOpenPage();
  const isWithin = page.tabs !== undefined || section !== undefined;
  const trail: { key: string; node: ReactNode }[] = [];
  if (page.area !== "account" && organization) {
    trail.push({
      key: "organization",
      node: (
        <PageLink page="organization-home" params={{ org: organization.id }} className={linkClass}>
          {organization.name}
        </PageLink>
      ),
    });
  }
  if (page.area === "project" && project) {
    trail.push({
      key: "project",
      node: (
        <PageLink page="project-home" params={{ pid: project.id }} className={linkClass}>
          {project.name}
        </PageLink>
      ),
    });
  }
  if (isWithin) trail.push({ key: "heading", node: <span className="truncate text-soft">{heading}</span> });
  if (section) {
    trail.push({
      key: "section",
      node: (
        <Link to={addressOf(section, parameters)} className={linkClass}>
          {section.title}
        </Link>
      ),
    });
  }
  const here = isWithin ? page.title : page.id === "project-home" ? "Home" : heading;
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1.5 text-sm">
        {trail.map(({ key, node }) => (
          <li key={key} className="flex min-w-0 items-center gap-1.5 max-sm:hidden">
            {node}
            <ChevronRight aria-hidden="true" className="size-3.5 shrink-0 text-faint" />
          </li>
        ))}
        <li aria-current="page" className="truncate font-medium">
          {here}
        </li>
      </ol>
    </nav>
  );
}

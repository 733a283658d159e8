/** @module Where the open page is: organization, project, page. */
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import type { PageDeclaration } from "./page.ts";
import { usePlace } from "./page-context.tsx";
import { PageLink } from "./page-link.tsx";

const linkClass = "truncate rounded-[4px] text-soft hover:text-text";

export function Crumbs({ page, heading }: { page: PageDeclaration; heading: string }) {
  const { organization, project } = usePlace();
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
  if (page.tabs) trail.push({ key: "heading", node: <span className="truncate text-soft">{heading}</span> });
  const here = page.tabs ? page.title : page.id === "project-home" ? "Home" : heading;
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

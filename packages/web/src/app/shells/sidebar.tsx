/** @module The side bar: where am I, what else is here, and who am I. */

import { Link } from "@tanstack/react-router";
import {
  BadgeCheck,
  BookText,
  Bot,
  Boxes,
  Cable,
  ClipboardCheck,
  Disc,
  Drama,
  FlaskConical,
  GraduationCap,
  House,
  Layers,
  Library,
  type LucideIcon,
  MonitorSmartphone,
  PanelLeftClose,
  Plug,
  Search,
  Server,
  Settings,
  Users,
} from "lucide-react";
import { cx } from "../../lib/cx.ts";
import { isLocal } from "../../lib/local.ts";
import { setPreference } from "../../lib/preferences.ts";
import type { PageDeclaration } from "../../pages/page.ts";
import { useOpenPage, usePlace } from "../../pages/page-context.tsx";
import { addressOf, pages } from "../../pages/pages.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import { Logo } from "../../ui/logo.tsx";
import { modifierName } from "../keymap.ts";
import { paletteOpen } from "../palette/palette-open.ts";
import { PlaceSwitcher } from "./place-switcher.tsx";
import { UserMenu } from "./user-menu.tsx";

const icons: Record<string, LucideIcon> = {
  "organization-home": Boxes,
  "organization-members": Users,
  "organization-general": Settings,
  "project-home": House,
  agent: Bot,
  servers: Server,
  tunnels: Cable,
  registry: Library,
  conformance: BadgeCheck,
  readiness: ClipboardCheck,
  evals: GraduationCap,
  scenarios: Users,
  swarms: Drama,
  findings: Search,
  "server-groups": Layers,
  skills: BookText,
  plugins: Plug,
  images: Disc,
  clients: MonitorSmartphone,
  environments: FlaskConical,
  "project-general": Settings,
};

export function Sidebar() {
  return (
    <div className="flex h-full flex-col gap-3 p-3">
      <div className="flex items-center justify-between pt-0.5 pl-1.5">
        <Link
          to="/"
          className="inline-flex items-center gap-2 rounded-control font-semibold text-lg tracking-[-0.01em]"
        >
          <Logo />
          Fettle
        </Link>
        <IconButton
          label="Hide side bar"
          className="max-lg:hidden"
          onClick={() => setPreference("sidebar", "closed")}
        >
          <PanelLeftClose aria-hidden="true" className="size-4" />
        </IconButton>
      </div>
      {!isLocal && <PlaceSwitcher />}
      <button
        type="button"
        onClick={() => paletteOpen.set(true)}
        className="flex h-control items-center gap-2 rounded-control border border-line-strong bg-surface px-2.5 text-faint text-sm transition-colors duration-(--quick) hover:text-text"
      >
        <Search aria-hidden="true" className="size-3.5" />
        <span className="flex-1 text-left">Find or jump to …</span>
        <span className="flex gap-0.5">
          <Kbd>{modifierName}</Kbd>
          <Kbd>K</Kbd>
        </span>
      </button>
      <Navigation />
      <div className="mt-auto">
        <UserMenu />
      </div>
    </div>
  );
}

/** Below a list in a row of tabs lies whatever lies below the row. */
const below = ({ path, tabs }: PageDeclaration) => (tabs ? path.replace(/\/[^/]+$/, "") : path);

function Navigation() {
  const { page, parameters } = useOpenPage();
  const { organization, project } = usePlace();
  const area =
    page?.area === "account" || page === undefined ? (project ? "project" : "organization") : page.area;
  const known = {
    ...parameters,
    ...(organization && { org: organization.id }),
    ...(project && { pid: project.id }),
  };
  const entries = pages
    .flatMap(({ navigation, ...each }) => (each.area === area && navigation ? [{ ...each, navigation }] : []))
    .toSorted((a, b) => a.navigation.order - b.navigation.order);
  // A tab without an entry of its own lights its sibling's.
  const lit =
    entries.find((each) => each.id === page?.id) ??
    entries.findLast((each) => each.tabs && each.tabs === page?.tabs) ??
    // What lies below a list lights the list, and the nearest one at that.
    entries
      .filter((each) => page?.path.startsWith(`${below(each)}/`))
      .toSorted((a, b) => b.path.length - a.path.length)[0];
  return (
    <nav aria-label={area === "project" ? "Project" : "Organization"}>
      <ul className="grid gap-px">
        {entries.map((each) => {
          const Icon = icons[each.id] ?? Boxes;
          return (
            <li key={each.id}>
              <Link
                to={addressOf(each, known)}
                aria-current={each === lit ? "page" : undefined}
                className={cx(
                  "flex h-8 items-center gap-2.5 rounded-control px-2.5 text-base transition-colors duration-(--quick)",
                  each === lit
                    ? "bg-selected font-medium text-text"
                    : "text-soft hover:bg-hover hover:text-text",
                )}
              >
                <Icon
                  aria-hidden="true"
                  className={cx("size-4", each === lit ? "text-text" : "text-faint")}
                />
                {each.navigation.label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

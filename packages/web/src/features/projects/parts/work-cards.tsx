/** @module What people come for, one step away. */
import type { ProjectServer } from "@fettle/contract/servers";
import { Link } from "@tanstack/react-router";
import { BadgeCheck, Drama, GraduationCap, type LucideIcon, Stethoscope, Wrench } from "lucide-react";
import { pagePath } from "../../../pages/pages.ts";

interface Work {
  icon: LucideIcon;
  title: string;
  text: string;
  to: string;
  /** Started at once, where there is something to start it on. */
  starts?: boolean;
}

/** A server that is the only one is meant; among several one chooses first. */
export function WorkCards({
  projectId: pid,
  servers,
}: {
  projectId: string;
  servers: readonly ProjectServer[];
}) {
  const [only, ...others] = servers;
  const sid = others.length === 0 ? only?.id : undefined;
  const list = pagePath("servers", { pid });
  const name = sid && only ? only.name : "a server";
  const works: Work[] = [
    {
      icon: Stethoscope,
      title: `Examine ${name}`,
      text: "What it says of itself, what is wrong with it, and what to try.",
      to: sid ? pagePath("server-overview", { pid, sid }) : list,
      starts: only === undefined,
    },
    {
      icon: Wrench,
      title: "Call a tool",
      text: "Fill in its form, run it, and see every message on the wire.",
      to: sid ? pagePath("server-tools", { pid, sid }) : list,
      starts: only === undefined,
    },
    {
      icon: BadgeCheck,
      title: "Check conformance",
      text: "The protocol and OAuth, rule by rule, with the evidence.",
      to: pagePath("conformance", { pid }),
      starts: only !== undefined,
    },
    {
      icon: GraduationCap,
      title: "Evaluate with an agent",
      text: "Does an agent get its work done with it, and does it stay so?",
      to: pagePath("evals", { pid }),
    },
    {
      icon: Drama,
      title: "Send visitors",
      text: "Personas that try to get something done, as often as you say.",
      to: pagePath("swarms", { pid }),
    },
  ];
  return (
    <ul aria-label="What to do" className="grid gap-3 sm:grid-cols-2 xl:grid-cols-5">
      {works.map(({ icon: Icon, title, text, to, starts }) => (
        <li key={title} className="flex">
          <Link
            to={to}
            search={starts ? { do: "new" } : {}}
            className="flex flex-1 flex-col gap-1 rounded-panel border border-line bg-surface p-4 hover:border-line-strong hover:bg-hover"
          >
            <Icon aria-hidden="true" className="mb-1 size-4.5 text-accent-text" />
            <span className="break-words font-medium">{title}</span>
            <span className="text-soft text-sm">{text}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

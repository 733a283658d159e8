/** @module The open page's project, once it is there. */
import type { Project } from "@fettle/contract";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { projectQuery } from "../api/queries.ts";
import { Loaded } from "../kit/loaded.tsx";
import { useOpenPage } from "./page-context.tsx";

export function WithProject({ children }: { children: (project: Project) => ReactNode }) {
  const { pid = "" } = useOpenPage().parameters;
  return (
    <Loaded query={useQuery(projectQuery(pid))} what="the project">
      {children}
    </Loaded>
  );
}

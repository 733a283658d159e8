/** @module The open page's project, once it is there. */
import type { Project } from "@fettle/contract/people";
import type { ReactNode } from "react";
import { useOperation } from "../api/operation.ts";
import { Loaded } from "../kit/loaded.tsx";
import { useOpenPage } from "./page-context.tsx";

export function WithProject({ children }: { children: (project: Project) => ReactNode }) {
  const { pid = "" } = useOpenPage().parameters;
  return (
    <Loaded query={useOperation("getProject", { projectId: pid })} what="the project">
      {children}
    </Loaded>
  );
}

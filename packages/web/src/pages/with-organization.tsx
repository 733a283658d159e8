/** @module The open page's organization, when the person belongs to it. */
import { ApiError } from "@fettle/contract/core";
import type { Bootstrap } from "@fettle/contract/people";
import type { ReactNode } from "react";
import { FailureView } from "../kit/failure-view.tsx";
import { usePlace } from "./page-context.tsx";

export interface WithOrganizationProps {
  children: (organization: Bootstrap["organizations"][number]) => ReactNode;
}

export function WithOrganization({ children }: WithOrganizationProps) {
  const { organization } = usePlace();
  if (organization) return children(organization);
  return <FailureView failure={new ApiError("NOT_FOUND", "Not found.")} what="the organization" />;
}

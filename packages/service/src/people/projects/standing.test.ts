import { organizationRoles, projectGrants, visibilities } from "@fettle/contract/core";
import { expect, it } from "vitest";
import { standingOf } from "./standing.ts";

it("says for every tie a person may have who sees a project and who runs it", () => {
  const rows = visibilities.flatMap((visibility) =>
    [null, ...organizationRoles].flatMap((organizationRole) =>
      [null, ...projectGrants].map((grant) => {
        const { isVisible, isWorkspaceMember, isAdmin } = standingOf({ visibility, organizationRole, grant });
        const words = [isVisible && "sees", isWorkspaceMember && "workspace", isAdmin && "admin"].filter(
          Boolean,
        );
        return `${visibility} ${organizationRole ?? "-"} ${grant ?? "-"}: ${words.join(" ") || "nothing"}`;
      }),
    ),
  );
  expect(rows).toMatchInlineSnapshot(`
    [
      "public - -: nothing",
      "public - editor: sees",
      "public - admin: sees admin",
      "public guest -: nothing",
      "public guest editor: sees",
      "public guest admin: sees admin",
      "public member -: sees workspace",
      "public member editor: sees workspace",
      "public member admin: sees workspace admin",
      "public admin -: sees workspace admin",
      "public admin editor: sees workspace admin",
      "public admin admin: sees workspace admin",
      "public owner -: sees workspace admin",
      "public owner editor: sees workspace admin",
      "public owner admin: sees workspace admin",
      "private - -: nothing",
      "private - editor: sees",
      "private - admin: sees admin",
      "private guest -: nothing",
      "private guest editor: sees",
      "private guest admin: sees admin",
      "private member -: workspace",
      "private member editor: sees workspace",
      "private member admin: sees workspace admin",
      "private admin -: sees workspace admin",
      "private admin editor: sees workspace admin",
      "private admin admin: sees workspace admin",
      "private owner -: sees workspace admin",
      "private owner editor: sees workspace admin",
      "private owner admin: sees workspace admin",
    ]
  `);
});

/** @module The images someone sees in a project: what is shared, and their own drafts. */
import type { Project } from "@fettle/contract/people";
import type { SandboxImage } from "@fettle/contract/sandboxes";
import { useCommandsOf } from "../../../api/server-image.ts";
import { actionsColumn, timeColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { SharingChip } from "../../../kit/list/sharing-chip.tsx";
import { RowLink } from "../../../pages/row-link.tsx";
import { BuildChip } from "./build-chip.tsx";
import { ImageActions } from "./image-actions.tsx";

export interface ImageTableProps {
  projectId: string;
  images: readonly SandboxImage[];
  role: Project["role"] | undefined;
}

export function ImageTable({ projectId, images, role }: ImageTableProps) {
  const { byImage } = useCommandsOf(projectId);
  const serversIn = (id: string) => {
    const names = byImage.get(id)?.map(({ name }) => name);
    return names && `Runs ${names.join(", ")}`;
  };
  return (
    <DataTable<SandboxImage>
      caption="Images"
      columns={[
        {
          id: "name",
          header: "Image",
          cell: ({ id, name, sharing }) => (
            <span className="block min-w-24">
              <RowLink
                page="image"
                params={{ pid: projectId, iid: id }}
                note={serversIn(id)}
                chip={
                  <span className="md:hidden">
                    <SharingChip sharing={sharing} />
                  </span>
                }
              >
                {name}
              </RowLink>
            </span>
          ),
        },
        {
          id: "sharing",
          header: "Whose",
          wideOnly: true,
          cell: ({ sharing }) => <SharingChip sharing={sharing} />,
        },
        {
          id: "build",
          header: "Newest build",
          cell: ({ currentBuild }) =>
            currentBuild ? <BuildChip build={currentBuild} /> : <span className="text-faint">None yet</span>,
        },
        timeColumn("Updated", ({ updatedAt }) => updatedAt, { align: "end" }),
        actionsColumn((image) => <ImageActions image={image} role={role} />),
      ]}
      items={images}
      keyOf={(image) => image.id}
      noun={["image", "images"]}
    />
  );
}

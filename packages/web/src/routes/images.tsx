/** @module `/p/:pid/images`: what computers are started from, and one's own computer. */
import { useNavigate } from "@tanstack/react-router";
import { Disc } from "lucide-react";
import { useOperation } from "../api/operation.ts";
import { ComputerPanel } from "../features/images/parts/computer-panel.tsx";
import { ImageTable } from "../features/images/parts/image-table.tsx";
import { NewImageDialog } from "../features/images/parts/new-image-dialog.tsx";
import { useOpenPage, usePlace } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { PageList } from "../pages/page-list.tsx";
import { pageById, pagePath } from "../pages/pages.ts";
import { usePrimaryAction } from "../pages/use-search.ts";
import { toast } from "../ui/toast.tsx";

const page = pageById("images");

export function Images() {
  const { pid = "" } = useOpenPage().parameters;
  const { project } = usePlace();
  const query = useOperation("listSandboxImages", { projectId: pid });
  const [creating, setCreating] = usePrimaryAction();
  const navigate = useNavigate();
  return (
    <PageFrame id="images" about={page.about}>
      <PageList id="images" query={query} noun="images" icon={Disc} textOf={({ name }) => name}>
        {(shown) => <ImageTable projectId={pid} images={shown} role={project?.role} />}
      </PageList>
      <ComputerPanel projectId={pid} images={query.data?.items} />
      {creating && (
        <NewImageDialog
          projectId={pid}
          onClose={() => setCreating(false)}
          onCreated={(image) => {
            toast(`${image.name} is saved as your draft`);
            void navigate({ to: pagePath("image", { pid, iid: image.id }) });
          }}
        />
      )}
    </PageFrame>
  );
}

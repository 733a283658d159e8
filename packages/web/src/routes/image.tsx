/** @module `/p/:pid/images/:iid`: the image's blueprint, and what was built of it. */
import { useNavigate } from "@tanstack/react-router";
import { useOperation } from "../api/operation.ts";
import { writeRefusal } from "../features/images/image-access.ts";
import { BuildPanel } from "../features/images/parts/build-panel.tsx";
import { ImageActions } from "../features/images/parts/image-actions.tsx";
import { ImageEditor } from "../features/images/parts/image-editor.tsx";
import { ImageServers } from "../features/images/parts/image-servers.tsx";
import { SharingChip } from "../kit/list/sharing-chip.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { useOpenPage, usePlace } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { pageById, pagePath } from "../pages/pages.ts";

const page = pageById("image");

export function ImagePage() {
  const { pid = "", iid = "" } = useOpenPage().parameters;
  const { project } = usePlace();
  const query = useOperation("getSandboxImage", { projectId: pid, imageId: iid });
  const navigate = useNavigate();
  return (
    <PageFrame
      id="image"
      title={query.data?.name ?? page.title}
      about={page.about}
      chip={query.data && <SharingChip sharing={query.data.sharing} />}
      actions={
        query.data && (
          <ImageActions
            image={query.data}
            role={project?.role}
            onDeleted={() => void navigate({ to: pagePath("images", { pid }) })}
          />
        )
      }
    >
      <Loaded query={query} what="the image">
        {(image) => {
          const refusal = project && writeRefusal(image, project.role);
          return (
            <>
              <ImageEditor key={image.id} image={image} refusal={refusal} />
              <BuildPanel image={image} refusal={refusal} />
              <ImageServers image={image} />
            </>
          );
        }}
      </Loaded>
    </PageFrame>
  );
}

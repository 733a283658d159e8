/** @module On the page of a stdio server: in which of the project's images its command runs. */
import type { ProjectServer } from "@fettle/contract/servers";
import type { ServerImages } from "../../../api/server-image.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { Panel } from "../../../ui/panel.tsx";
import { Select } from "../../../ui/select.tsx";
import { toast } from "../../../ui/toast.tsx";
import { updateServer } from "../queries.ts";

export function ServerImage({ server, images }: { server: ProjectServer; images: ServerImages }) {
  const { ready, runsIn } = images;
  const offline = useWriteBlock();
  const choose = useAction(
    (id: string) =>
      // The list's own ids, or none.
      updateServer({ projectId: server.projectId, serverId: server.id }, { sandboxImageId: id || null }),
    () => toast("Saved"),
  );
  return (
    <Panel
      title="Runs in an image"
      about={
        runsIn
          ? "The command runs in a container of this image, one for each connection, and is stopped when nobody uses it. What it writes on stderr is below with its messages."
          : "This server is a command. Choose the image that has it, or open a tunnel from a machine that does."
      }
    >
      <div className="stack gap-3">
        <Select
          aria-label="Image"
          className="max-w-96"
          disabled={offline !== undefined || choose.busy}
          value={server.sandboxImageId ?? ""}
          onChange={(event) => choose.run(event.target.value)}
          options={[
            {
              value: "",
              label: ready.length === 1 ? `The project's only one, ${ready[0]?.name}` : "None chosen",
            },
            ...ready.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <FormFailure failure={choose.failure} />
      </div>
    </Panel>
  );
}

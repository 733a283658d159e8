/** @module Changes an image. Two who change it at once choose between the two texts, as with everything that is shared. */
import type { SandboxImage } from "@fettle/contract/sandboxes";
import { failureOf } from "../../../api/failure.ts";
import { change, operationOptions, queryClient } from "../../../api/operation.ts";
import { DraftEditor, useEditing } from "../../../kit/conflict/draft-editor.tsx";
import type { Fields } from "../../../kit/conflict/three-way.ts";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useLint } from "../use-lint.ts";
import { BlueprintFields, type ImageText } from "./blueprint-fields.tsx";

interface ImageEdit extends ImageText {
  base: SandboxImage;
}

const textOf = ({ name, blueprint }: ImageText): ImageText => ({ name, blueprint });

export interface ImageEditorProps {
  image: SandboxImage;
  /** Why it cannot be changed. */
  refusal: string | undefined;
}

export function ImageEditor({ image, refusal }: ImageEditorProps) {
  const address = { projectId: image.projectId, imageId: image.id };
  const editing = useEditing({
    key: `image:${image.id}`,
    keeps: true,
    stored: image,
    start: (base): ImageEdit => ({ base, ...textOf(base) }),
    isChanged: ({ base, name, blueprint }) => name !== base.name || blueprint !== base.blueprint,
    isOutdated: ({ base }, now) => now.updatedAt !== base.updatedAt,
    faultOf: ({ name }) => (name.trim() === "" ? "It needs a name." : undefined),
    save: async ({ base, ...text }) => {
      const body = { ...text, expectedUpdatedAt: base.updatedAt };
      try {
        return { kind: "saved", stored: await change("updateSandboxImage", { ...address, body }) };
      } catch (error) {
        if (failureOf(error).details?.code !== "IMAGE_CHANGED") throw error;
        const read = operationOptions("getSandboxImage", address);
        return { kind: "conflict", stored: await queryClient.fetchQuery({ ...read, staleTime: 0 }) };
      }
    },
    onEnd: ({ kind, stored }) => kind === "saved" && toast(`${stored.name} is saved`),
  });
  const { draft } = editing;
  const lint = useLint(image.projectId, draft.blueprint);
  if (refusal !== undefined) {
    return (
      <Panel title="Blueprint" about={refusal}>
        <div className="stack gap-6">
          <BlueprintFields readOnly text={image} lint={lint} onChange={() => undefined} />
        </div>
      </Panel>
    );
  }
  const blocked =
    editing.blocked ??
    (editing.changed && lint.state === "faulty" ? "Not saved: something in it is wrong." : undefined);
  return (
    <DraftEditor
      editing={{ ...editing, blocked, submit: () => blocked === undefined && editing.submit() }}
      what="the image"
      title="Blueprint"
      conflict={{
        fieldsOf: (each) => ({ ...textOf(each) }),
        mine: { ...textOf(draft) },
        labelOf: (field) => (field === "name" ? "Name" : "Blueprint"),
        current: () => "another text",
        show: (_, value) => (
          <pre className="max-h-64 overflow-y-auto whitespace-pre-wrap break-words text-code">
            {String(value)}
          </pre>
        ),
        settle: (base, fields: Fields) => ({
          base,
          name: String(fields.name),
          blueprint: String(fields.blueprint),
        }),
      }}
    >
      <BlueprintFields text={draft} lint={lint} onChange={(next) => editing.edit({ ...draft, ...next })} />
    </DraftEditor>
  );
}

/** @module Renames or deletes a conversation. */
import { chatLimits } from "@fettle/contract/core";
import type { ChatSessionDetail } from "@fettle/contract/visitors";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { toast } from "../../../ui/toast.tsx";
import { deleteSession, updateSession } from "../queries.ts";

interface SessionDialogProps {
  session: ChatSessionDetail;
  onClose: () => void;
}

export function RenameSessionDialog({ session, onClose }: SessionDialogProps) {
  const rename = useAction((title: string) => updateSession(session, { title }), onClose);
  return (
    <FormDialog
      title="Rename the conversation"
      submit="Rename"
      action={rename}
      onClose={onClose}
      onSubmit={(values) => rename.run(String(values.get("title")))}
    >
      <Field label="Title" name="title">
        {(control) => (
          <Input
            {...control}
            required
            maxLength={chatLimits.titleLength}
            autoComplete="off"
            defaultValue={session.title ?? ""}
          />
        )}
      </Field>
    </FormDialog>
  );
}

export function DeleteSessionDialog({
  session,
  onClose,
  onDeleted,
}: SessionDialogProps & { onDeleted: () => void }) {
  const remove = useAction(
    () => deleteSession(session),
    () => {
      toast("Conversation deleted");
      onDeleted();
    },
  );
  return (
    <ConfirmDialog
      title="Delete the conversation?"
      confirm="Delete"
      action={remove}
      onClose={onClose}
      onConfirm={() => remove.run()}
    >
      <p>What was said and called is lost for good. Eval cases made of it, and branches of it, stay.</p>
    </ConfirmDialog>
  );
}

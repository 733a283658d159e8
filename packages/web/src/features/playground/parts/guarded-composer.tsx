/** @module The composer in the workspace, where a button that does nothing says why. */
import { Blocked } from "../../../kit/blocked.tsx";
import { Composer, type ComposerProps } from "../../../kit/chat/composer.tsx";

export function GuardedComposer(props: Omit<ComposerProps, "guard">) {
  return <Composer {...props} guard={(reason, button) => <Blocked reason={reason}>{button}</Blocked>} />;
}

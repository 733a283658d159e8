/** @module `/account/appearance`. */
import { PageFrame } from "../app/page-frame.tsx";
import { AppearanceForm } from "../features/appearance/parts/appearance-form.tsx";

export function AccountAppearance() {
  return (
    <PageFrame id="account-appearance" width="narrow">
      <AppearanceForm />
    </PageFrame>
  );
}

/** @module `/account/appearance`. */

import { AppearanceForm } from "../features/appearance/parts/appearance-form.tsx";
import { PageFrame } from "../pages/page-frame.tsx";

export function AccountAppearance() {
  return (
    <PageFrame id="account-appearance" width="narrow">
      <AppearanceForm />
    </PageFrame>
  );
}

/** @module `/account/profile`. */

import { PasswordForm } from "../features/profile/parts/password-form.tsx";
import { ProfileForm } from "../features/profile/parts/profile-form.tsx";
import { ProviderPanel } from "../features/profile/parts/provider-panel.tsx";
import { useBootstrap } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { pagePath } from "../pages/pages.ts";
import { useSearchText } from "../pages/use-search.ts";

export function AccountProfile() {
  const { user, signIn } = useBootstrap();
  const [refusal] = useSearchText("error");
  return (
    <PageFrame id="account-profile" width="narrow">
      <ProfileForm user={user} />
      {signIn.password && <PasswordForm user={user} />}
      {signIn.oidc.length > 0 && (
        <ProviderPanel providers={signIn.oidc} refusal={refusal} returnTo={pagePath("account-profile", {})} />
      )}
    </PageFrame>
  );
}

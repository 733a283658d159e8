/** @module `/account/profile`. */
import { useBootstrap } from "../app/page-context.tsx";
import { PageFrame } from "../app/page-frame.tsx";
import { PasswordForm } from "../features/profile/parts/password-form.tsx";
import { ProfileForm } from "../features/profile/parts/profile-form.tsx";

export function AccountProfile() {
  const { user, signIn } = useBootstrap();
  return (
    <PageFrame id="account-profile" width="narrow">
      <ProfileForm user={user} />
      {signIn.password && <PasswordForm user={user} />}
    </PageFrame>
  );
}

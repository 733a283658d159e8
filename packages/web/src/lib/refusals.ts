/** @module Why a provider's sign-in ended without a session, in words to act on. */

const texts: Record<string, string> = {
  sign_in_expired: "It took too long, or began in another browser. Try again.",
  provider_refused: "You or the provider stopped it. Nothing was changed.",
  provider_failed:
    "The provider's answer could not be verified. Try again; if it stays, tell whoever runs this deployment.",
  identity_taken: "That provider account already belongs to someone else here.",
  email_not_verified: "The provider does not vouch for your address. Confirm it there first.",
  account_exists:
    "An account with your address exists. Sign in with its password, then connect the provider under Profile.",
  not_invited: "You are not invited yet. Ask an admin for an invitation link.",
};

export function refusalText(reason: string): string {
  return texts[reason] ?? "Try again, or use another way to sign in.";
}

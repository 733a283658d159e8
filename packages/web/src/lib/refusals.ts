/** @module Why a provider's sign-in ended without a session, in words to act on. */
import type { SignInRefusal } from "@fettle/contract/people";

const texts: Record<SignInRefusal, string> = {
  sign_in_expired: "It took too long, was finished already, or began in another browser. Try again.",
  sign_in_failed: "Something changed meanwhile, or the service could not finish it. Try again.",
  provider_refused: "You or the provider stopped it. Nothing was changed.",
  provider_failed:
    "The provider's answer could not be verified. Try again; if it stays, tell whoever runs this deployment.",
  identity_taken: "That provider account already belongs to someone else here.",
  email_not_verified: "The provider does not vouch for your address. Confirm it there first.",
  email_invalid:
    "What the provider says is your email address is none that can be used here. Have it corrected there.",
  account_exists:
    "An account with your address exists. Sign in to it another way, then connect the provider under Profile. Whoever runs this deployment can make you a sign-in link.",
  not_invited: "You are not invited yet. Ask an admin for an invitation link.",
  setup_needed:
    "Nobody has an account here yet. Open the setup link that was printed when the service started.",
  setup_done: "Somebody has made the first account meanwhile. Sign in, or ask them for an invitation.",
  setup_token_wrong: "The setup token is not the one printed at start. Open the setup link again.",
};

export function refusalText(reason: string): string {
  const known: Record<string, string> = texts;
  return known[reason] ?? "Try again, or use another way to sign in.";
}

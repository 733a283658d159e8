/** @module Whose the sample workspace is: an address nobody can own, so the account is never mistaken for a person's. */
export const sampleEmail = "sample@fettle.local";

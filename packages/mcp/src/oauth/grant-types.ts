/** @module The names that cross-app access is spelled with. */

export const grantTypes = {
  tokenExchange: "urn:ietf:params:oauth:grant-type:token-exchange",
  jwtBearer: "urn:ietf:params:oauth:grant-type:jwt-bearer",
} as const;

export const grantProfile = "urn:ietf:params:oauth:grant-profile:id-jag";
export const grantTokenType = "oauth-id-jag+jwt";
export const xaaExtension = "io.modelcontextprotocol/enterprise-managed-authorization";

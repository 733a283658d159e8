export { Me, Organization } from "./account.ts";
export { ApiKey, ApiKeyCreated } from "./api-key.ts";
export { Invitation, InvitationCreated, InvitationOffer, Member, ProjectMember } from "./member.ts";
export { Project, ProjectCreateRequest, ProjectUpdateRequest } from "./project.ts";
export { type ProjectAction, ProjectCapabilities, projectActions } from "./project-capabilities.ts";
export {
  Bootstrap,
  CliAuthorization,
  Device,
  Email,
  PersonName,
  SignedIn,
  SignedInUser,
  type SignInRefusal,
  signInRefusals,
} from "./session.ts";

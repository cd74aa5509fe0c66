import { conflict, type Problem } from "../../platform/http/problems.ts";

/** Creates the 409 of a change that would leave an agent without an Owner. */
export const lastOwner = (agentId: string, userId: string): Problem =>
  conflict(`"${userId}" is the last Owner of "${agentId}". Make another user an Owner first.`);

/** Creates the 409 of too many concurrent changes of a collaborator. */
export const collaboratorChanged = (userId: string): Problem =>
  conflict(`The collaborator "${userId}" is being changed by others. Read it and try again.`);

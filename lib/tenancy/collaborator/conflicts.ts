import { conflict, type Problem } from "../../platform/http/problems.ts";

/** 409: an agent that has an Owner always has one. */
export const lastOwner = (agentId: string, userId: string): Problem =>
  conflict(`"${userId}" is the last Owner of "${agentId}". Make somebody else an Owner first.`);

/** 409: others changed the collaborator again and again. */
export const changedMeanwhile = (userId: string): Problem =>
  conflict(`The collaborator "${userId}" is being changed by others. Read it and try again.`);

import type { Approval } from "../../../client/openapi.ts";

/** Returns the label of a chosen action; empty for none. */
export const labelDecision = (chosen: string | undefined, actions: Approval["actions"]): string =>
  actions.find(({ id }) => id === chosen)?.label ?? chosen ?? "";

import * as z from "zod";

/** Role of a collaborator: Viewers read, Editors change, Owners also delete the agent and manage access. */
export const CollaboratorRole = z.enum(["Viewer", "Editor", "Owner"]).meta({
  id: "CollaboratorRole",
  description:
    "`Viewer` reads; `Editor` does everything but delete the agent and change its collaborators or budget; `Owner` does everything.",
  example: "Editor",
});
export type CollaboratorRole = z.output<typeof CollaboratorRole>;

const reach: Readonly<Record<CollaboratorRole, number>> = { Viewer: 0, Editor: 1, Owner: 2 };

/** Returns whether the role `held` includes the role `required`. */
export const reaches = (held: CollaboratorRole, required: CollaboratorRole): boolean =>
  reach[held] >= reach[required];

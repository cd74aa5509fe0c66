import * as z from "zod";

/** What a user may do to an agent: a Viewer reads, an Editor changes, an Owner also deletes and decides. */
export const CollaboratorRole = z.enum(["Viewer", "Editor", "Owner"]).meta({
  id: "CollaboratorRole",
  description:
    "`Viewer` reads; `Editor` does everything but delete the agent and change its collaborators or budget; `Owner` does everything.",
  example: "Editor",
});
export type CollaboratorRole = z.output<typeof CollaboratorRole>;

const reach: Readonly<Record<CollaboratorRole, number>> = { Viewer: 0, Editor: 1, Owner: 2 };

/** Whether one who has the role `held` may do what asks for `required`. */
export const reaches = (held: CollaboratorRole, required: CollaboratorRole): boolean =>
  reach[held] >= reach[required];

import * as z from "zod";
import { ChosenId, Timestamp } from "../../platform/http/ids.ts";

const displayName = z.string().min(1).max(200).meta({ example: "Hello" });
const description = z.string().max(4_000);
const avatarFileId = z.string().max(128);

/** Public representation of an agent. */
export const Agent = z
  .object({
    id: ChosenId,
    displayName,
    description: description.nullable(),
    deployedRevision: z
      .int()
      .nullable()
      .meta({ description: "The deployed revision; null for none." }),
    latestRevision: z.int().nullable().meta({ description: "The latest revision; null for none." }),
    avatarFileId: avatarFileId.nullable(),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  })
  .meta({ id: "Agent" });
export type Agent = z.output<typeof Agent>;

/** Request body that creates an agent. */
export const CreateAgentBody = z
  .object({
    id: ChosenId.nullish(),
    displayName,
    description: description.nullish(),
    avatarFileId: avatarFileId.nullish(),
  })
  .meta({ id: "CreateAgentBody", example: { id: "greeter", displayName: "Greeter" } });
export type CreateAgentBody = z.output<typeof CreateAgentBody>;

/** Request body that changes an agent; null clears an optional member. */
export const UpdateAgentBody = z
  .object({
    displayName: displayName.optional(),
    description: description.nullish(),
    avatarFileId: avatarFileId.nullish(),
  })
  .meta({ id: "UpdateAgentBody", example: { displayName: "Friendly greeter" } });
export type UpdateAgentBody = z.output<typeof UpdateAgentBody>;

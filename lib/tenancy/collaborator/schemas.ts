import * as z from "zod";
import { ChosenId, Timestamp } from "../../platform/http/ids.ts";
import { CollaboratorRole } from "./role.ts";

const email = z.string().min(1).max(320);
const name = z.string().min(1).max(200);
const { shape: preferences } = z.object({
  errorAlerts: z.boolean(),
  accessRequestAlerts: z.boolean(),
  approvalAlerts: z.boolean(),
  budgetAlerts: z.boolean(),
});

/** Alerts that a collaborator receives. */
export const AlertPreferences = z.object(preferences).meta({ id: "AlertPreferences" });
export type AlertPreferences = z.output<typeof AlertPreferences>;

/** A collaborator of an agent. */
export const Collaborator = z
  .object({
    agentId: ChosenId,
    userId: z.string().meta({
      description:
        "The `sub` of the user's tokens, or the address of an invitation, in lower case.",
    }),
    role: CollaboratorRole,
    email: z.string().nullable(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
    status: z.int().meta({ description: "0 invited, 1 active." }),
    alertPreferences: AlertPreferences,
  })
  .meta({ id: "Collaborator" });
export type Collaborator = z.output<typeof Collaborator>;

/** Stored representation of a collaborator. */
export const CollaboratorItem = z.object(Collaborator.shape);
export type CollaboratorItem = z.output<typeof CollaboratorItem>;

/**
 * A user's id in a path. Whatever issuers put in `sub` in practice: uuids, numbers, addresses,
 * `auth0|5f7c…`. No slash, and no colon: behind one the last segment of a path is a custom method.
 */
export const UserId = z
  .string()
  .regex(
    /^[A-Za-z0-9_][A-Za-z0-9_.|@+=~-]{0,254}$/,
    "must be 1 to 255 letters, digits or any of _ . | @ + = ~ -, and start with a letter, digit or _",
  )
  .meta({
    description:
      "A user's id, the `sub` of their tokens, or an e-mail address, percent-encoded. An address invites its user: the invitation becomes theirs when they first call with this address as a verified one.",
    example: "auth0|5f7c8ec7c33c6c004bbafe82",
  });

/** Body of a put: `role` is required; other members change only when sent, and null clears them. */
export const PutCollaboratorBody = z
  .object({
    role: CollaboratorRole,
    email: email.nullish(),
    firstName: name.nullish(),
    lastName: name.nullish(),
    alertPreferences: z.object(preferences).partial().nullish(),
  })
  .meta({
    id: "PutCollaboratorBody",
    example: {
      role: "Editor",
      email: "ada@example.com",
      firstName: "Ada",
      lastName: "Lovelace",
      alertPreferences: {
        errorAlerts: true,
        accessRequestAlerts: false,
        approvalAlerts: true,
        budgetAlerts: true,
      },
    },
  });
export type PutCollaboratorBody = z.output<typeof PutCollaboratorBody>;

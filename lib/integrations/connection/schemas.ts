import * as z from "zod";
import { Timestamp, Uuid } from "../../platform/http/ids.ts";
import { pageSchema } from "../../platform/http/paging.ts";
import { OAuthScopes } from "../config/oauth-settings.ts";
import { connectionStatuses } from "./store.ts";

/** Id of a connection. */
export const ConnectionId = z.string().max(100).meta({
  description: "A connection's id.",
  example: "0193f0a0-7c4b-7000-8000-000000000000.5d41402abc4b2a76b9719d911017c592",
});

/** Of a chat user: with the id of the connector before it. */
const endUserId = z.string().min(1).max(300);

/** Status of a connection. */
export const ConnectionStatus = z.enum(connectionStatuses).meta({
  id: "ConnectionStatus",
  description:
    "`Pending`: consent was not given yet; `Expired`: consent is needed again; `Revoked`: being deleted; `Failed`: the last consent failed, or the server refused tokens that need no person.",
});

/** A consent to use a service, for a config. */
export const Connection = z
  .object({
    id: ConnectionId,
    integrationConfigId: Uuid,
    owner: z.enum(["tenant", "endUser", "user"]).meta({
      description: "`endUser`: of sessions with this `endUserId`; `user`: of calls by this user.",
    }),
    endUserId: z.string().nullable(),
    userId: z.string().nullable(),
    status: ConnectionStatus,
    scopes: z.array(z.string()).meta({ description: "The scopes that were given." }),
    error: z.string().nullable().meta({ description: "Code of the last failure." }),
    authorizeUrl: z.string().nullable().meta({
      description:
        "The page on which a person gives consent; null where none is needed. Whoever opens it connects their own account. Valid for 7 days.",
    }),
    expiresAt: Timestamp.nullable().meta({ description: "When the access token expires." }),
    connectedAt: Timestamp.nullable(),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  })
  .meta({ id: "Connection" });
export type Connection = z.output<typeof Connection>;

/** A page of connections. */
export const ConnectionPage = pageSchema(Connection, "ConnectionPage");

/** Request to create a connection. */
export const CreateConnectionBody = z
  .object({
    integrationConfigId: Uuid,
    endUserId: endUserId.nullish().meta({
      description:
        "The end user who owns it, for a config with `owner: endUser`. Without it the calling user owns it.",
    }),
    scopes: OAuthScopes.nullish().meta({
      description:
        "Asked for with those of the last consent. Defaults to those of the config, of the last consent, or of the server's metadata.",
    }),
  })
  .meta({
    id: "CreateConnectionBody",
    example: { integrationConfigId: "0193f0a0-7c4b-7000-8000-000000000000" },
  });
export type CreateConnectionBody = z.output<typeof CreateConnectionBody>;

/** Filters of a list of connections. */
export const connectionFilters = {
  integrationConfigId: Uuid.optional().meta({
    description: "Returns only connections of this config.",
  }),
  endUserId: endUserId.optional().meta({
    description: "Returns only connections of this end user.",
  }),
};

/** Metadata of the installation as an OAuth client. */
export const ClientMetadata = z
  .object({
    client_id: z.string(),
    client_name: z.string(),
    client_uri: z.string(),
    redirect_uris: z.array(z.string()),
    grant_types: z.array(z.string()),
    response_types: z.array(z.string()),
    token_endpoint_auth_method: z.string(),
  })
  .meta({ id: "OAuthClientMetadata" });

/** The signed end of a link's path. */
export const ConnectionToken = z.string().max(2_048).meta({
  description: "The signature of the link. Secret.",
  example: "WyJjb25uZWN0aW9uIl0.c2lnbmF0dXJl",
});

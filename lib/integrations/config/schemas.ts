import * as z from "zod";
import { ChosenId, Timestamp, Uuid } from "../../platform/http/ids.ts";
import { pageSchema } from "../../platform/http/paging.ts";
import { refuseUnknown } from "../../platform/http/unknown-members.ts";
import { limitedRecord } from "../../values/json/limited-record.ts";
import { sentOAuth, shownOAuth } from "./oauth-settings.ts";

const displayName = z.string().min(1).max(200);
const parameters = z
  .record(z.string(), z.unknown())
  .meta({ description: "Settings that are not secret, such as `baseUrl`." });
const credentials = {
  description:
    "Credentials. Stored encrypted and returned as ********; send ******** to keep a stored value.",
};
const authParameters = z.record(z.string(), z.string()).meta(credentials);
const sentAuthParameters = limitedRecord(z.string(), z.string(), 64).meta(credentials);
const authMap = z.array(z.unknown()).max(200);
const exposeMcp = z.boolean().meta({
  description: "Whether an MCP server offers the config's tools and agents.",
});

const McpKey = z
  .object({
    id: Uuid,
    key: z.string().nullable().meta({
      description: "The API key. Returned once, to a caller with the `mcp:invoke` scope.",
    }),
  })
  .meta({ id: "McpKey" });

const SentAuth = refuseUnknown(
  z
    .object({
      integrationAuthMetadataId: z.string().max(200).nullish(),
      parameters: sentAuthParameters.nullish(),
      ...sentOAuth,
    })
    .meta({ id: "SentIntegrationAuth" }),
);
export type SentAuth = z.output<typeof SentAuth>;

/** Content of a revision of an integration config, with credentials masked. */
export const IntegrationContent = z.object({
  displayName: z.string(),
  parameters,
  auth: z
    .object({
      integrationAuthMetadataId: z.string().nullable(),
      parameters: authParameters,
      ...shownOAuth,
    })
    .nullable(),
  authMap: z.array(z.unknown()),
});
export type IntegrationContent = z.output<typeof IntegrationContent>;

/** An integration config in its latest revision. */
export const IntegrationConfig = z
  .object({
    id: Uuid,
    integrationId: ChosenId,
    ...IntegrationContent.shape,
    exposeMcp,
    mcpKey: McpKey.nullable().meta({
      description: "The dedicated API key of the config's MCP server.",
    }),
    latestRevision: z.int(),
    publishedRevision: z.int().nullable().meta({ description: "The published revision, or null." }),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  })
  .meta({ id: "IntegrationConfig" });
export type IntegrationConfig = z.output<typeof IntegrationConfig>;

/** A page of integration configs, oldest first. */
export const IntegrationConfigPage = pageSchema(IntegrationConfig, "IntegrationConfigPage");

/** Request to create an integration config. */
export const CreateIntegrationConfigBody = z
  .object({
    integrationId: ChosenId,
    displayName: displayName.nullish().meta({ description: "Defaults to the integration's id." }),
    parameters: parameters.nullish(),
    auth: SentAuth.nullish(),
    authMap: authMap.nullish(),
    exposeMcp: exposeMcp.optional(),
  })
  .meta({
    id: "CreateIntegrationConfigBody",
    example: {
      integrationId: "github",
      displayName: "Our GitHub",
      auth: { parameters: { token: "github_pat_REPLACE_ME" } },
    },
  });
export type CreateIntegrationConfigBody = z.output<typeof CreateIntegrationConfigBody>;

/** Request to update an integration config. Members that are sent are replaced; null clears an optional one. */
export const UpdateIntegrationConfigBody = z
  .object({
    integrationId: ChosenId.optional(),
    displayName: displayName.optional(),
    parameters: parameters.nullish(),
    auth: SentAuth.nullish(),
    authMap: authMap.nullish(),
    exposeMcp: exposeMcp.optional(),
  })
  .meta({ id: "UpdateIntegrationConfigBody", example: { displayName: "Our own GitHub" } });
export type UpdateIntegrationConfigBody = z.output<typeof UpdateIntegrationConfigBody>;

/** Request to publish a revision. */
export const PublishIntegrationConfigBody = z
  .object({
    revision: z
      .int()
      .min(1)
      .nullish()
      .meta({ description: "Defaults to the latest revision. An older one rolls back." }),
  })
  .optional()
  .meta({ id: "PublishIntegrationConfigBody", example: { revision: 1 } });
export type PublishIntegrationConfigBody = z.output<typeof PublishIntegrationConfigBody>;

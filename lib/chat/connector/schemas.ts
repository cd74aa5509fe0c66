import * as z from "zod";
import { ChosenId, Timestamp, Uuid } from "../../platform/http/ids.ts";
import { pageSchema } from "../../platform/http/paging.ts";
import { limitedRecord } from "../../values/json/limited-record.ts";
import { chatProviderIds } from "../../vendors/registry/ids.ts";

/** Policy for who may run the agent. */
export const ConnectorPolicy = z
  .enum(["AllowAll", "RequireApproval", "DenyAll"])
  .meta({ id: "ConnectorPolicy" });
export type ConnectorPolicy = z.output<typeof ConnectorPolicy>;

const name = z.string().min(1).max(200);
const parameters = limitedRecord(z.string(), z.string().min(1).max(4_096), 50).meta({
  description:
    "Settings and credentials of the provider, by name. Credentials are stored encrypted and shown as ********. Send ******** to keep the stored value.",
});
const onBoardingMessage = z.string().min(1).max(4_000).meta({
  description: "The reply to chat users who are not approved yet; null for none.",
});
const active = z.boolean().meta({ description: "Whether messages are received." });

/** A connector in API responses, with masked credentials. */
export const Connector = z
  .object({
    id: Uuid,
    name: z.string(),
    agentId: ChosenId,
    agentRevision: z
      .int()
      .nullable()
      .meta({ description: "The agent's deployed revision, which answers messages." }),
    provider: z.enum(chatProviderIds),
    parameters: z.record(z.string(), z.string()),
    active: z.boolean(),
    policy: ConnectorPolicy,
    onBoardingMessage: z.string().nullable(),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
    webhookUrl: z
      .string()
      .meta({ description: "The URL to configure at the provider, without the key." }),
  })
  .meta({ id: "Connector" });
export type Connector = z.output<typeof Connector>;

/** A page of connectors, oldest first. */
export const ConnectorPage = pageSchema(Connector, "ConnectorPage");

/** Request body of creating a connector. */
export const CreateConnectorBody = z
  .object({
    provider: z.enum(chatProviderIds),
    name: name.nullish().meta({ description: "The provider's name by default." }),
    parameters: parameters.nullish(),
    active: active.optional(),
    policy: ConnectorPolicy.optional().meta({ description: "AllowAll by default." }),
    onBoardingMessage: onBoardingMessage.nullish(),
  })
  .meta({
    id: "CreateConnectorBody",
    example: {
      provider: "generic",
      name: "Our own chat",
      parameters: { replyUrl: "https://chat.example.com/replies" },
      policy: "RequireApproval",
      onBoardingMessage: "Thank you. Your access request is pending.",
    },
  });
export type CreateConnectorBody = z.output<typeof CreateConnectorBody>;

/**
 * Request body of updating a connector: omitted members are unchanged, null clears an optional one. The provider
 * cannot change.
 */
export const UpdateConnectorBody = z
  .object({
    provider: z.enum(chatProviderIds).optional(),
    name: name.optional(),
    parameters: parameters.optional(),
    active: active.optional(),
    policy: ConnectorPolicy.optional(),
    onBoardingMessage: onBoardingMessage.nullish(),
  })
  .meta({ id: "UpdateConnectorBody", example: { active: false } });
export type UpdateConnectorBody = z.output<typeof UpdateConnectorBody>;

/** Result of testing a connector's credentials. */
export const ConnectorTest = z
  .object({
    ok: z.boolean(),
    detail: z
      .string()
      .nullable()
      .meta({ description: "Why the test failed; null when it succeeded." }),
    upstreamStatus: z
      .int()
      .nullable()
      .meta({ description: "HTTP status of the provider's error response." }),
    latencyMs: z.int(),
  })
  .meta({ id: "ConnectorTest" });
export type ConnectorTest = z.output<typeof ConnectorTest>;

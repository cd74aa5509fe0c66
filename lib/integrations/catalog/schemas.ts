import * as z from "zod";
import { ChosenId, Uuid } from "../../platform/http/ids.ts";
import { pageSchema } from "../../platform/http/paging.ts";
import { textValue } from "../../platform/http/text-value.ts";
import { limitedRecord } from "../../values/json/limited-record.ts";
import { ParameterDescriptor } from "../../values/json/parameters.ts";

const ConfigParameter = z
  .object({
    name: z.string(),
    displayName: z.string(),
    description: z.string(),
    required: z.boolean(),
    secret: z.boolean().meta({
      description:
        "Whether it is a credential. Credentials go in `auth.parameters` of a config, other values in `parameters`.",
    }),
  })
  .meta({ id: "ConfigParameter" });

/** An integration of the catalog. */
export const Integration = z
  .object({
    id: ChosenId,
    displayName: z.string(),
    description: z.string(),
    needsConfig: z.boolean().meta({
      description: "Whether it requires a published integration config.",
    }),
    hasTools: z.boolean().meta({
      description: "Whether it has tools. An integration without tools registers webhooks.",
    }),
    parameters: z
      .array(ConfigParameter)
      .meta({ description: "Settings and credentials of its configs." }),
  })
  .meta({ id: "Integration" });
export type Integration = z.output<typeof Integration>;

/** Every integration. */
export const IntegrationList = z.array(Integration).meta({ id: "IntegrationList" });

/** A tool in the API's format, which sub-agents' tools share. */
export const IntegrationTool = z
  .object({
    id: z.string(),
    slug: z.string(),
    integrationId: z.string(),
    agentId: z.string().nullable(),
    displayName: z.string(),
    description: z.string(),
    toolType: z.enum(["Integration"]),
    actionType: z.enum(["ReadOnly", "ReadWrite"]),
    resultType: z.enum(["String", "Json"]),
    authSettings: z.object({
      supportsOAuth: z.boolean().meta({ description: "Whether calls have an access token." }),
      oAuth: z.array(
        z.object({
          connectionStatus: z.string().nullable().meta({
            description: "Status of the connection that the caller's calls use; null for none.",
          }),
          scopes: z.array(z.string()),
        }),
      ),
    }),
    flow: z.object({ steps: z.array(z.unknown()), edges: z.array(z.unknown()) }),
    parametersMetadata: z.array(ParameterDescriptor),
    useSession: z.boolean(),
    avatarFileId: z.string().nullable(),
  })
  .meta({ id: "IntegrationTool" });
export type IntegrationTool = z.output<typeof IntegrationTool>;

/** A page of an integration's tools. */
export const IntegrationToolPage = pageSchema(IntegrationTool, "IntegrationToolPage");

/** Request to run a tool. */
export const RunToolBody = z
  .object({
    parameters: limitedRecord(z.string(), textValue(), 1_000)
      .nullish()
      .meta({ description: "Values by name. All values are strings, regardless of type." }),
    configId: Uuid.nullish().meta({
      description:
        "The config to use, in its published revision. Only for tools that require a config.",
    }),
    resultSelect: z
      .string()
      .min(1)
      .max(32_768)
      .nullish()
      .meta({ description: "JSONata expression applied to the result. It is not stored." }),
  })
  .meta({
    id: "RunToolBody",
    example: { parameters: { expression: "(1 + 2) * 3" } },
  });
export type RunToolBody = z.output<typeof RunToolBody>;

/** Result of a tool. */
export const ToolRunResult = z
  .object({
    response: z.string().meta({ description: "The result as text; JSON unless it is a string." }),
    resultType: z.enum(["String", "Json"]),
    jsonValue: z.unknown().meta({ description: "The result as JSON; null for a string." }),
    fileLink: z.string().nullable().meta({
      description:
        "Address of the content of the first file that the tool returned; null for a result without files.",
    }),
  })
  .meta({ id: "ToolRunResult" });
export type ToolRunResult = z.output<typeof ToolRunResult>;

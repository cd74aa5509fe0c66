import { useRef } from "react";
import { unwrapBody, type WharfClient } from "../../../client/client.ts";
import type { Agent } from "../../../client/openapi.ts";
import { iterateItems } from "../../../client/pages.ts";
import { ProblemError } from "../../../client/problem-error.ts";
import { uploadDocument } from "../../../client/upload-document.ts";
import { useAction } from "../shared/use-action.ts";
import { buildRevision, type ChosenModel } from "./build-revision.ts";
import type { NamedTemplate } from "./template-file.ts";

const tenantPath = "/v1/tenants/{tenant}";
const agentsPath = `${tenantPath}/agents` as const;
const assetsPath = `${tenantPath}/assets` as const;
const configsPath = `${tenantPath}/integration-configs` as const;

type TenantClient = { client: WharfClient; tenant: string };
type TemplateAsset = NamedTemplate["template"]["assets"][number];
type TemplateConfig = NamedTemplate["template"]["integrationConfigs"][number];

/** Choices for a new agent. */
export type NewAgent = ChosenModel & {
  displayName: string;
  id: string;
  isDeployed: boolean;
};

/**
 * Creates an agent from a template: the assets and integration configs that do not exist yet, the agent, and its first
 * revision. A repeated attempt continues with the agent that the first one created.
 */
export const useCreateFromTemplate = (named: NamedTemplate) => {
  const created = useRef<Agent>(undefined);
  return useAction(
    ["agents", "assets", "integration-configs"],
    async (place, chosen: NewAgent): Promise<Agent> => {
      const { client, tenant } = place;
      const { template, agent: texts } = named;
      for (const asset of template.assets) await createAsset(place, asset);
      const configIds = new Map<string, string>();
      for (const config of template.integrationConfigs) {
        configIds.set(config.displayName, await findOrCreateConfig(place, config));
      }
      const { id, displayName } = chosen;
      created.current ??= await unwrapBody(
        client.POST(agentsPath, {
          params: { path: { tenant } },
          body: { displayName, description: texts.description, ...(id !== "" && { id }) },
        }),
      );
      const path = { tenant, agent: created.current.id };
      const { agentRevision: revision } = await unwrapBody(
        client.POST(`${agentsPath}/{agent}/revisions`, {
          params: { path },
          body: buildRevision(named, chosen, configIds),
        }),
      );
      if (!chosen.isDeployed) return created.current;
      return unwrapBody(
        client.POST(`${agentsPath}/{agent}/revisions/{revision}:deploy`, {
          params: { path: { ...path, revision } },
        }),
      );
    },
  );
};

/** Creates an asset with its documents, unless it exists. */
const createAsset = async (
  { client, tenant }: TenantClient,
  { id, displayName, documents }: TemplateAsset,
): Promise<void> => {
  try {
    await client.POST(assetsPath, {
      params: { path: { tenant } },
      body: { id, displayName, type: "upload", parameters: {} },
    });
  } catch (error) {
    if (error instanceof ProblemError && error.status === 409) return;
    throw error;
  }
  for (const [name, text] of Object.entries(documents)) {
    const type = "text/markdown";
    const content = new Blob([text], { type });
    await uploadDocument(client, { tenant, asset: id }, { name, type, content });
  }
};

/** Returns the id of the config with a name; a new one is published. */
const findOrCreateConfig = async (
  { client, tenant }: TenantClient,
  { displayName, integrationId, parameters }: TemplateConfig,
): Promise<string> => {
  const read = (query: object) =>
    unwrapBody(client.GET(configsPath, { params: { path: { tenant }, query } }));
  for await (const config of iterateItems(read)) {
    if (config.displayName === displayName && config.integrationId === integrationId) {
      return config.id;
    }
  }
  const { id: config } = await unwrapBody(
    client.POST(configsPath, {
      params: { path: { tenant } },
      body: { displayName, integrationId, parameters },
    }),
  );
  await client.POST(`${configsPath}/{config}:publish`, { params: { path: { tenant, config } } });
  return config;
};

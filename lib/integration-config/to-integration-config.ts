import { type IntegrationConfig, IntegrationContent } from "./schemas.ts";
import type { IntegrationConfigItem } from "./store.ts";

/** The public shape of a stored config. */
export const toIntegrationConfig = (item: IntegrationConfigItem): IntegrationConfig => ({
  id: item.id,
  integrationId: item.integrationId,
  ...readContent(item),
  latestRevision: item.latestRevision,
  publishedRevision: item.publishedRevision,
  createdAt: item.createdAt,
  modifiedAt: item.modifiedAt,
});

/** What a stored config, or a revision of it, holds; credentials masked. */
export const readContent = ({ content }: { content: string }): IntegrationContent =>
  IntegrationContent.parse(JSON.parse(content));

import { type IntegrationConfig, IntegrationContent } from "./schemas.ts";
import type { IntegrationConfigItem } from "./store.ts";

/** A config, and the secret of its dedicated key where that was just made for a caller who may see it. */
export type ShownConfig = IntegrationConfigItem & { mcpSecret?: string | null };

/** The public shape of a stored config. */
export const toIntegrationConfig = ({ mcpSecret, ...item }: ShownConfig): IntegrationConfig => ({
  id: item.id,
  integrationId: item.integrationId,
  ...readContent(item),
  exposeMcp: item.mcpKeyId !== undefined,
  mcpKey: item.mcpKeyId === undefined ? null : { id: item.mcpKeyId, key: mcpSecret ?? null },
  latestRevision: item.latestRevision,
  publishedRevision: item.publishedRevision,
  createdAt: item.createdAt,
  modifiedAt: item.modifiedAt,
});

/** What a stored config, or a revision of it, holds; credentials masked. */
export const readContent = ({ content }: { content: string }): IntegrationContent =>
  IntegrationContent.parse(JSON.parse(content));

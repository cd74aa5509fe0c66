import { type IntegrationConfig, IntegrationContent } from "./schemas.ts";
import type { IntegrationConfigItem } from "./store.ts";

/** A config, with the secret of its dedicated key if that was just minted for the caller. */
export type ShownConfig = IntegrationConfigItem & { mcpSecret?: string | null };

/** Converts a stored config to its API shape. */
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

/** Parses the content of a stored config or revision; credentials are masked. */
export const readContent = ({ content }: { content: string }): IntegrationContent =>
  IntegrationContent.parse(JSON.parse(content));

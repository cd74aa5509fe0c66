import type { ListedModel } from "../../engine/models/list-models.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { ProviderItem } from "./store.ts";

/** Lists of models that a function instance remembers, by provider and its version. */
export type ModelLists = {
  find(tenantId: TenantId, provider: ProviderItem, now: number): ListedModel[] | undefined;
  keep(
    tenantId: TenantId,
    provider: ProviderItem,
    kept: { models: ListedModel[]; now: number },
  ): void;
};

const keptMs = 300_000;
const maxKept = 50;

/** Creates an instance's memory of lists. Lists are kept for 5 minutes; a change of the provider begins without it. */
export const createModelLists = (): ModelLists => {
  const lists = new Map<string, { models: ListedModel[]; until: number }>();
  return {
    find: (tenantId, provider, now) => {
      const list = lists.get(nameList(tenantId, provider));
      return list && now < list.until ? list.models : undefined;
    },
    keep: (tenantId, provider, { models, now }) => {
      const name = nameList(tenantId, provider);
      lists.delete(name);
      const [oldest] = lists.keys();
      if (oldest !== undefined && lists.size >= maxKept) lists.delete(oldest);
      lists.set(name, { models, until: now + keptMs });
    },
  };
};

/** A provider that replaces a deleted one of its id begins with the same version, at another time. */
const nameList = (tenantId: TenantId, { id, version, createdAt }: ProviderItem): string =>
  JSON.stringify([tenantId, id, version, createdAt]);

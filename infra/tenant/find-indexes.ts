import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { indexName } from "../../lib/knowledge/index/index-name.ts";
import { TenantId } from "../../lib/platform/db/tenant-id.ts";
import type { Classified, Item } from "./classify.ts";

const nameIndex = (tenantId: string, model: AttributeValue | undefined): string[] => {
  const [providerId, name] = [model?.M?.providerId?.S, model?.M?.model?.S];
  return providerId === undefined || name === undefined
    ? []
    : [indexName(TenantId.parse(tenantId), { providerId, model: name })];
};

/** Returns the names of the indexes that may have vectors of an asset, a document or memories; none for another item. */
export const findIndexes = (
  tenantId: string,
  { family: { name } }: Pick<Classified, "family">,
  { embedding, indexedWith, indexed, others, index }: Item,
): string[] => {
  if (name === "assets" || name === "deleted assets") {
    return [...nameIndex(tenantId, embedding), ...nameIndex(tenantId, indexedWith)];
  }
  if (name === "memories")
    return [...nameIndex(tenantId, embedding), ...(index?.S ? [index.S] : [])];
  if (name !== "documents") return [];
  return [indexed, ...(others?.L ?? [])].flatMap((content) => content?.M?.index?.S ?? []);
};

const tabs = ["documents", "search", "subscriptions"] as const;

/** A tab of an asset. */
export type AssetTab = (typeof tabs)[number];

/** Members of the address of an asset's page: its tab, and the search that is tried there. */
export type AssetSearch = { tab?: AssetTab; query?: string; topK?: number; document?: string };

/** Parses the search of an address; unknown values are dropped. */
export const parseAssetSearch = ({ tab, query, topK, document }: Record<string, unknown>) => {
  const known = tabs.find((candidate) => candidate === tab);
  const search: AssetSearch = {
    ...(known !== undefined && { tab: known }),
    ...(isText(query) && { query: String(query) }),
    ...(Number(topK) > 0 && { topK: Number(topK) }),
    ...(isText(document) && { document: String(document) }),
  };
  return search;
};

/** A text of digits may have been read as a number. */
const isText = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number";

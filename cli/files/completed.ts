import { completedMembers } from "../../lib/agents/revision/content.ts";
import type { Content } from "./content.ts";
import { type Members, toRecords } from "./json-value.ts";

/** Members of a revision's assets that the service completes. */
const assetMembers = ["displayName", "contentType", "assetType", "link"] as const;

/**
 * Adds what the latest revision has in members of assets and sub-agents that a file leaves out, since the service
 * completes them.
 */
export const adoptCompleted = (local: Content, stored: Content): Content => ({
  ...local,
  assets: local.assets.map((asset, at) =>
    adopt(
      asset,
      findAround(stored.assets, at, ({ id }) => id === asset.id),
      assetMembers,
    ),
  ),
  subAgents: local.subAgents.map((subAgent, at) =>
    adopt(subAgent, findAround(stored.subAgents, at, isSameUse(subAgent)), completedMembers),
  ),
});

/** Finds an item, at its own position first: several may have one id. */
const findAround = <Item>(
  items: readonly Item[],
  at: number,
  fits: (item: Item) => boolean,
): Item | undefined => items.slice(at, at + 1).find(fits) ?? items.find(fits);

type Use = { id: string; agentId: string };

const isSameUse =
  (one: Use) =>
  (other: Use): boolean =>
    other.id === one.id && other.agentId === one.agentId;

const adopt = <Item extends Members>(
  item: Item,
  stored: Item | undefined,
  names: readonly string[],
): Item => {
  if (!stored) return item;
  const missing = names.filter((name) => isUnset(item[name]));
  return { ...item, ...Object.fromEntries(missing.map((name) => [name, stored[name]])) };
};

const isUnset = (value: unknown): boolean =>
  value === null || value === false || (Array.isArray(value) && value.length === 0);

/** Removes what the service completed in assets and sub-agents and the file does not have. */
export const withoutCompleted = (stored: Content, file: Members): Content => ({
  ...stored,
  assets: strip(stored.assets, toRecords(file.assets), assetMembers),
  subAgents: strip(stored.subAgents, toRecords(file.subAgents), completedMembers),
});

/** Matches items by id, else by position: a file may write an id as a name. */
const strip = <Item extends Members & { id: string }>(
  stored: readonly Item[],
  file: readonly Members[],
  names: readonly string[],
): Item[] =>
  stored.map((item, at) => {
    const own = findAround(file, at, ({ id }) => id === item.id) ?? file[at];
    if (!own) return item;
    const missing = names.filter((name) => !Object.hasOwn(own, name));
    return { ...item, ...Object.fromEntries(missing.map((name) => [name, unsetLike(item[name])])) };
  });

const unsetLike = (value: unknown): unknown => {
  if (Array.isArray(value)) return [];
  return typeof value === "boolean" ? false : null;
};

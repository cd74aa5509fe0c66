import { isRecord, itemsIn, type Members, textIn } from "../../flow-graph/members.ts";

/** Text of the API instead of a secret. */
const mask = "********";
/** Names of members that may have a secret, wherever they are. */
const secretName =
  /token|secret|password|credential|authorization|bearer|signing|(?:api|private|access)_?key/i;

/** Returns a draft without its secrets and their masks, as it may be stored in the browser. */
export const withoutSecrets = (draft: Members): Members => {
  const kept = withoutMasks(draft);
  return isRecord(kept) ? withoutKnownSecrets(kept) : {};
};

/** Drops masks, and texts with the name of a secret that are no expressions; the rest of a value stays. */
const withoutMasks = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutMasks);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => member !== mask && !(isText(member) && secretName.test(name)))
      .map(([name, member]) => [name, withoutMasks(member)]),
  );
};

const isText = (value: unknown): boolean =>
  typeof value === "string" && value !== "" && !value.includes("{%");

const withoutKnownSecrets = (draft: Members): Members => ({
  ...draft,
  ...inList(draft, "parametersMetadata", withoutDefault),
  ...inList(draft, "subAgents", (agent) => ({
    ...agent,
    ...inList(agent, "parametersMetadata", withoutDefault),
  })),
  ...inList(draft, "integrationConfigs", (config) =>
    isRecord(config.auth) ? { ...config, auth: without(config.auth, "parameters") } : config,
  ),
  ...inList(draft, "connectors", (connector) => without(connector, "parameters")),
});

const withoutDefault = (parameter: Members): Members =>
  parameter.secret === true ? without(parameter, "defaultValue") : parameter;

const without = (members: Members, name: string): Members => {
  const { [name]: _, ...others } = members;
  return others;
};

const inList = (members: Members, name: string, change: (item: Members) => Members): Members =>
  Array.isArray(members[name])
    ? { [name]: members[name].map((item) => (isRecord(item) ? change(item) : item)) }
    : {};

/** Puts what `withoutSecrets` dropped from the revision back into a stored draft of it. */
export const restoreSecrets = (revision: Members, stored: Members): Members => {
  const filled = fill({ whole: revision, kept: withoutSecrets(revision) }, stored);
  return isRecord(filled) ? filled : stored;
};

/** A value of the revision, and what is left of it without secrets. */
type Source = { whole: unknown; kept: unknown };

const fill = ({ whole, kept }: Source, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => fill(findItem({ whole, kept }, item), item));
  if (!isRecord(value) || !isRecord(whole) || !isRecord(kept)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    fill({ whole: whole[name], kept: kept[name] }, member),
  ]);
  const dropped = Object.entries(whole).filter(
    ([name]) => !Object.hasOwn(kept, name) && !Object.hasOwn(value, name),
  );
  return Object.fromEntries([...members, ...dropped]);
};

/** Finds the item of a list with the same id or name. */
const findItem = ({ whole, kept }: Source, item: unknown): Source => {
  const at = itemsIn(whole).findIndex((other) => isSameItem(other, item));
  return { whole: itemsIn(whole)[at], kept: itemsIn(kept)[at] };
};

const isSameItem = (left: unknown, right: unknown): boolean => {
  if (!isRecord(left) || !isRecord(right)) return false;
  const name = textIn(right.id) === "" ? "name" : "id";
  return textIn(right[name]) !== "" && left[name] === right[name];
};

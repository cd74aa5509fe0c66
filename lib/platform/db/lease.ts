import type { Key } from "./keys.ts";

/** Where a lease is: members of an item, or paths in it such as `sync.worker`. */
export type LeasePlace = {
  readonly key: Key;
  /** Member with the holder; absent or null while none has the lease. */
  readonly holder: string;
  /** Member with the expiry, Unix milliseconds. */
  readonly until: string;
  /** Member whose `holder` and `until` these are, if it is nothing else; absent while none has the lease. */
  readonly whole?: string;
};

/** A lease as it was read or is to be. `until`: Unix milliseconds. */
export type Lease = { readonly holder: string | null; readonly until: number };

/** A condition with names such as `#status` and values such as `:queued`. */
type Condition = { readonly expression: string; readonly values?: Record<string, unknown> };

/** Further writes and conditions of an update of a lease. Undefined members of `set` are kept. */
export type LeaseChange = {
  readonly set?: object;
  /** Members that are set unless they exist. */
  readonly setOnce?: object;
  readonly add?: object;
  readonly remove?: readonly string[];
  /** Members that must be equal; an undefined one must be absent. */
  readonly expect?: object | undefined;
  readonly where?: Condition;
};

/** An update, for `updateItem` or a transaction. */
type Update = {
  Key: Key;
  UpdateExpression: string;
  ConditionExpression: string;
  ExpressionAttributeNames: Record<string, string>;
  ExpressionAttributeValues: Record<string, unknown>;
};

/** Builds the update that takes a lease which is free, expired, or the holder's own. */
export const takeLease = (
  place: LeasePlace,
  { holder, until }: { holder: string; until: number },
  now: number,
  change: LeaseChange = {},
): Update => {
  const { whole } = place;
  const lease =
    whole === undefined
      ? { [place.holder]: holder, [place.until]: until }
      : { [whole]: { holder, until } };
  return buildUpdate(
    place.key,
    { ...change, set: { ...change.set, ...lease } },
    {
      expression: `${isFree(place)} OR ${toName(place.until)} <= :now OR ${toName(place.holder)} = :holder`,
      values: { ":none": null, ":now": now, ":holder": holder },
    },
  );
};

/** Builds the update that takes a lease over from a holder, or frees it of one, if it is as it was read. */
export const takeOverLease = (
  place: LeasePlace,
  seen: Lease,
  next: Lease,
  change: LeaseChange = {},
): Update =>
  buildUpdate(place.key, setLease(place, next, change), {
    expression: `${toName(place.until)} = :seenUntil AND ${
      seen.holder === null ? isFree(place) : `${toName(place.holder)} = :seenHolder`
    }`,
    values: {
      ":seenUntil": seen.until,
      ...(seen.holder === null ? { ":none": null } : { ":seenHolder": seen.holder }),
    },
  });

/** Builds the update that renews a lease, even an expired one, if the holder still has it. */
export const renewLease = (
  place: LeasePlace,
  { holder, until }: { holder: string; until: number },
  change: LeaseChange = {},
): Update =>
  changeWhileHeld(place, holder, { ...change, set: { ...change.set, [place.until]: until } });

/**
 * Builds the update that frees a lease, if the holder still has it.
 * @param lease its `until` is when the next holder counts as missing; without it nobody is expected
 */
export const releaseLease = (
  place: LeasePlace,
  lease: { holder: string; until?: number },
  change: LeaseChange = {},
): Update => {
  const { holder, until } = lease;
  const { whole } = place;
  if (until !== undefined) {
    return changeWhileHeld(place, holder, setLease(place, { holder: null, until }, change));
  }
  const members = whole === undefined ? [place.holder, place.until] : [whole];
  return changeWhileHeld(place, holder, {
    ...change,
    remove: [...(change.remove ?? []), ...members],
  });
};

/** Builds an update that leaves a lease as it is, if the holder has it. */
export const changeWhileHeld = (place: LeasePlace, holder: string, change: LeaseChange): Update =>
  buildUpdate(place.key, change, {
    expression: `${toName(place.holder)} = :holder`,
    values: { ":holder": holder },
  });

const setLease = (
  place: LeasePlace,
  { holder, until }: Lease,
  change: LeaseChange,
): LeaseChange => ({
  ...change,
  set: { ...change.set, [place.holder]: holder, [place.until]: until },
});

const toName = (path: string): string =>
  path
    .split(".")
    .map((name) => `#${name}`)
    .join(".");

const isFree = ({ holder }: LeasePlace): string =>
  `(attribute_not_exists(${toName(holder)}) OR ${toName(holder)} = :none)`;

const buildUpdate = (
  key: Key,
  { set = {}, setOnce = {}, add = {}, remove = [], expect = {}, where }: LeaseChange,
  lease: Condition,
): Update => {
  const values: Record<string, unknown> = { ...lease.values, ...where?.values };
  const addValue = (value: unknown): string => {
    const name = `:v${Object.keys(values).length}`;
    values[name] = value;
    return name;
  };
  const sets = [
    ...Object.entries(set)
      .filter(([, value]) => value !== undefined)
      .map(([path, value]) => `${toName(path)} = ${addValue(value)}`),
    ...Object.entries(setOnce).map(
      ([path, value]) => `${toName(path)} = if_not_exists(${toName(path)}, ${addValue(value)})`,
    ),
  ];
  const adds = Object.entries(add).map(([path, value]) => `${toName(path)} ${addValue(value)}`);
  const conditions = [
    lease.expression,
    ...Object.entries(expect).map(([path, value]) =>
      value === undefined
        ? `attribute_not_exists(${toName(path)})`
        : `${toName(path)} = ${addValue(value)}`,
    ),
    ...(where ? [where.expression] : []),
  ];
  const UpdateExpression = [
    sets.length > 0 ? `SET ${sets.join(", ")}` : "",
    remove.length > 0 ? `REMOVE ${remove.map(toName).join(", ")}` : "",
    adds.length > 0 ? `ADD ${adds.join(", ")}` : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
  const ConditionExpression = conditions.map((each) => `(${each})`).join(" AND ");
  const names = `${UpdateExpression} ${ConditionExpression}`.matchAll(/#(\w+)/g);
  return {
    Key: key,
    UpdateExpression,
    ConditionExpression,
    ExpressionAttributeNames: Object.fromEntries(names.map(([used, name = ""]) => [used, name])),
    ExpressionAttributeValues: values,
  };
};

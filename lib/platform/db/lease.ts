import type { Key } from "./keys.ts";

/** The members of an item that hold a lease, or paths in it such as `sync.worker`. */
export type LeaseMembers = {
  readonly key: Key;
  /** Member with the holder; absent or null while none has the lease. */
  readonly holder: string;
  /** Member with the expiry, Unix milliseconds. */
  readonly until: string;
  /** Member that consists of `holder` and `until` only; absent while the lease is free. */
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
  members: LeaseMembers,
  { holder, until }: { holder: string; until: number },
  now: number,
  change: LeaseChange = {},
): Update => {
  const { whole } = members;
  const lease =
    whole === undefined
      ? { [members.holder]: holder, [members.until]: until }
      : { [whole]: { holder, until } };
  return buildUpdate(
    members.key,
    { ...change, set: { ...change.set, ...lease } },
    {
      expression: `${isFree(members)} OR ${toName(members.until)} <= :now OR ${toName(members.holder)} = :holder`,
      values: { ":none": null, ":now": now, ":holder": holder },
    },
  );
};

/** Builds the update that takes a lease over from a holder, or frees it of one, if it is as it was read. */
export const takeOverLease = (
  members: LeaseMembers,
  seen: Lease,
  next: Lease,
  change: LeaseChange = {},
): Update =>
  buildUpdate(members.key, setLease(members, next, change), {
    expression: `${toName(members.until)} = :seenUntil AND ${
      seen.holder === null ? isFree(members) : `${toName(members.holder)} = :seenHolder`
    }`,
    values: {
      ":seenUntil": seen.until,
      ...(seen.holder === null ? { ":none": null } : { ":seenHolder": seen.holder }),
    },
  });

/** Builds the update that renews a lease, even an expired one, if the holder still has it. */
export const renewLease = (
  members: LeaseMembers,
  { holder, until }: { holder: string; until: number },
  change: LeaseChange = {},
): Update =>
  changeWhileHeld(members, holder, { ...change, set: { ...change.set, [members.until]: until } });

/**
 * Builds the update that frees a lease, if the holder still has it.
 * @param lease its `until` is when the next holder counts as missing; without it none is expected
 */
export const releaseLease = (
  members: LeaseMembers,
  lease: { holder: string; until?: number },
  change: LeaseChange = {},
): Update => {
  const { holder, until } = lease;
  const { whole } = members;
  if (until !== undefined) {
    return changeWhileHeld(members, holder, setLease(members, { holder: null, until }, change));
  }
  const released = whole === undefined ? [members.holder, members.until] : [whole];
  return changeWhileHeld(members, holder, {
    ...change,
    remove: [...(change.remove ?? []), ...released],
  });
};

/** Builds an update that leaves a lease as it is, if the holder has it. */
export const changeWhileHeld = (
  members: LeaseMembers,
  holder: string,
  change: LeaseChange,
): Update =>
  buildUpdate(members.key, change, {
    expression: `${toName(members.holder)} = :holder`,
    values: { ":holder": holder },
  });

const setLease = (
  members: LeaseMembers,
  { holder, until }: Lease,
  change: LeaseChange,
): LeaseChange => ({
  ...change,
  set: { ...change.set, [members.holder]: holder, [members.until]: until },
});

const toName = (path: string): string =>
  path
    .split(".")
    .map((name) => `#${name}`)
    .join(".");

const isFree = ({ holder }: LeaseMembers): string =>
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
  const ConditionExpression = conditions.map((condition) => `(${condition})`).join(" AND ");
  const names = `${UpdateExpression} ${ConditionExpression}`.matchAll(/#(\w+)/g);
  return {
    Key: key,
    UpdateExpression,
    ConditionExpression,
    ExpressionAttributeNames: Object.fromEntries(names.map(([used, name = ""]) => [used, name])),
    ExpressionAttributeValues: values,
  };
};

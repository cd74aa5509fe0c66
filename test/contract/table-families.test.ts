import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { findFamily } from "../../infra/tenant/classify.ts";
import { listObjectPrefixes, sharedPrefixes } from "../../infra/tenant/object-families.ts";
import { tableFamilies } from "../../infra/tenant/table-families.ts";
import * as deletedAssets from "../../lib/knowledge/keys.ts";
import { retainedPrefix, retentionClasses } from "../../lib/platform/db/retained-prefix.ts";
import * as tableNames from "../../lib/platform/db/table.ts";
import { TenantId } from "../../lib/platform/db/tenant-id.ts";

const id = "0193f0a0-7c4b-7000-8000-00000000000a";
const tenantId = TenantId.parse(id);

/**
 * An argument of any type that keys are built of: a text in a template, a time as a number, an object with such members,
 * a list of one.
 */
const anything: unknown = new Proxy(
  {},
  {
    get: (_, name) => {
      if (name === Symbol.toPrimitive) return (hint: string) => (hint === "string" ? id : 1.8e12);
      if (name === Symbol.iterator) return () => [anything].values();
      const method: unknown = Reflect.get(String.prototype, name);
      return typeof method === "function" ? method.bind(id) : anything;
    },
  },
);

/** Functions that hash their arguments, which must be texts. */
const hashed: Readonly<Record<string, unknown>> = {
  deletedAssetKey: deletedAssets.deletedAssetKey(tenantId, "a", id),
};

const files = readdirSync("lib", { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|\/)keys\.ts$/.test(file))
  .sort();

/** Functions that read keys or return none. */
const noKeys =
  /^(parse|read|to[A-Z]|is[A-Z]|select|compute|revisionDigits|rowsAfter|rowsUntil|exampleObjects|resultsBetween)/;

const exported = (
  await Promise.all(
    files.map(async (file) => {
      const module: Record<string, unknown> = await import(
        new URL(`../../lib/${file}`, import.meta.url).href
      );
      return Object.entries(module).map(([name, value]) => ({ file, name, value }));
    }),
  )
)
  .flat()
  .filter(({ name }) => !noKeys.test(name));

const isObject = (value: unknown): value is Record<string, unknown> =>
  value instanceof Object && typeof value !== "function";

/** The keys in what a function returns. Of lists, the keys of their items are tested. */
const findKeys = (value: unknown): { pk: string; sk: string }[] => {
  if (Array.isArray(value)) return value.flatMap(findKeys);
  if (!isObject(value)) return [];
  const { pk, sk } = value;
  return typeof pk === "string" && sk !== undefined ? [{ pk, sk: `${sk}` }] : [];
};

const build = (name: string, value: unknown): { pk: string; sk: string }[] => {
  if (name in hashed) return findKeys(hashed[name]);
  return findKeys(typeof value === "function" ? value(...Array(6).fill(anything)) : value);
};

/** Functions with keys of the listing index: the items are in the table under other keys. */
const ofIndex = new Set([
  "openIndexKey",
  "waitingIndexKey",
  "listed",
  "listedDeliveryKey",
  "sessionIndexAttributes",
  "recordsIndexPartition",
]);
const cases = exported.filter(({ name, value }) => {
  if (ofIndex.has(name) || /Lists?$/.test(name)) return false;
  return typeof value === "function" || findKeys(value).length > 0;
});

test.each(cases)("$name of lib/$file is of a family of items", ({ name, value }) => {
  const keys = build(name, value).map(({ pk, sk }) => [findFamily(pk, sk)?.family.name, pk, sk]);
  if (!["tenantPartition", "agentPartition"].includes(name)) expect(keys).not.toEqual([]);
  expect(keys.filter(([family]) => family === undefined)).toEqual([]);
});

test("every family of items has a key", () => {
  const found = new Set(
    cases.flatMap(({ name, value }) =>
      build(name, value).map(({ pk, sk }) => findFamily(pk, sk)?.family.name),
    ),
  );
  // Of infra/tenant; and the two that differ from another family by the form of an id alone.
  const others = ["moves of tenants", "slug", "slots of organizations"];
  const missing = tableFamilies.filter(({ name }) => !found.has(name)).map(({ name }) => name);
  expect(missing.filter((name) => !others.includes(name))).toEqual([]);
});

test("names of families are unique", () => {
  const names = tableFamilies.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

test("every prefix of objects is one of a tenant's, or shared and expires", () => {
  const prefixes = Object.entries(tableNames).flatMap(([name, value]) =>
    name.endsWith("Prefix") && typeof value === "string" ? [value] : [],
  );
  const known = [...listObjectPrefixes(id), ...sharedPrefixes];
  expect(
    prefixes.filter((prefix) => !known.some((family) => family.startsWith(`${prefix}/`))),
  ).toEqual([]);
  for (const days of retentionClasses) {
    expect(known).toContain(`${retainedPrefix(tableNames.executionsPrefix, days)}/${id}/`);
  }
  for (const prefix of listObjectPrefixes(id)) expect(prefix).toContain(`${id}/`);
});

import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { type TableFamily, tableFamilies, unknownFamily } from "./table-families.ts";

/** An item of the table with the types of its attributes. */
export type Item = Record<string, AttributeValue>;

/** The tenant of a command, with the ids that identify the items of its organization. */
export type Subject = {
  readonly tenantId: string;
  readonly slug: string | undefined;
  readonly organizationId: string | undefined;
  /** Whether the organization has no other tenant: what it has is this tenant's, too. */
  readonly isOnlyTenant: boolean;
  /** Ids of the organization's API keys. */
  readonly keys: ReadonlySet<string>;
  /** Ids of API keys that are for MCP servers of this tenant. */
  readonly ownKeys: ReadonlySet<string>;
  /** Ids of API keys that are for MCP servers of other tenants. */
  readonly foreignKeys: ReadonlySet<string>;
};

/** An item's family, with the parts of its key, and its owner; undefined for an item of others. */
export type Classified = {
  readonly family: TableFamily;
  readonly parts: Readonly<Record<string, string>>;
  readonly owner: "tenant" | "organization" | undefined;
};

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const forms: Readonly<Record<string, string>> = { tenant: uuid, slug: "[a-z0-9-]{1,63}" };

const compile = (pattern: string): RegExp => {
  const source = pattern.replaceAll(
    /\{(\*?)(\w*)\}|[^{]+/g,
    (text, any?: string, name?: string) => {
      if (any === undefined) return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
      const form = forms[name ?? ""] ?? (any ? ".*" : "[^#]+");
      return name ? `(?<${name}>${form})` : form;
    },
  );
  return new RegExp(`^${source}$`, "s");
};

type Compiled = { family: TableFamily; pk: RegExp; sk: RegExp | undefined };

const byPrefix = Map.groupBy(
  tableFamilies.map(
    (family): Compiled => ({
      family,
      pk: compile(family.pk),
      sk: family.sk === undefined ? undefined : compile(family.sk),
    }),
  ),
  ({ family }) => family.pk.split("#")[0] ?? "",
);

/** Returns the family of a key with the parts of the key; undefined for none. */
export const findFamily = (
  pk: string,
  sk: string,
): Pick<Classified, "family" | "parts"> | undefined => {
  for (const family of byPrefix.get(pk.split("#", 1)[0] ?? "") ?? []) {
    const first = family.pk.exec(pk);
    const second = family.sk?.exec(sk);
    if (!first || (family.sk && !second)) continue;
    return { family: family.family, parts: { ...second?.groups, ...first.groups } };
  }
  return undefined;
};

/** Returns the text of a member of an item; `message.tenantId` is one of JSON in a member. */
export const readText = (item: Item, path: string | undefined): string | undefined => {
  const [name = "", inner] = path?.split(".") ?? [];
  const text = item[name]?.S;
  if (inner === undefined || text === undefined) return text;
  const parsed: unknown = JSON.parse(text);
  const value: unknown = parsed instanceof Object ? Reflect.get(parsed, inner) : undefined;
  return typeof value === "string" ? value : undefined;
};

const findOwner = (
  { family, parts }: Pick<Classified, "family" | "parts">,
  item: Item,
  subject: Subject,
): Classified["owner"] => {
  if (family.owner === "none") return undefined;
  if (parts.slug !== undefined) return parts.slug === subject.slug ? "tenant" : undefined;
  const tenant = parts.tenant ?? readText(item, family.ownerIn?.tenant);
  const organization = parts.organization ?? readText(item, family.ownerIn?.organization);
  const key = parts.key ?? readText(item, family.ownerIn?.key);
  const isOfOrganization =
    organization !== undefined && organization === subject.organizationId
      ? "organization"
      : undefined;
  if (tenant === subject.tenantId) return "tenant";
  if (tenant !== undefined) return subject.isOnlyTenant ? isOfOrganization : undefined;
  if (key === undefined) return isOfOrganization;
  if (subject.ownKeys.has(key)) return "tenant";
  if (subject.foreignKeys.has(key) && !subject.isOnlyTenant) return undefined;
  if (organization !== undefined) return isOfOrganization;
  return subject.keys.has(key) ? "organization" : undefined;
};

/** Returns the family of an item and its owner; undefined for an item of no family outside the tenant's partitions. */
export const classify = (item: Item, subject: Subject): Classified | undefined => {
  const [pk, sk] = [item.pk?.S ?? "", item.sk?.S ?? ""];
  const ownPartition = `TENANT#${subject.tenantId}`;
  const isOwn = pk === ownPartition || pk.startsWith(`${ownPartition}#`);
  if (pk.startsWith("TENANT#") && !isOwn && sk !== "ALIAS") return undefined;
  const found = findFamily(pk, sk);
  if (found) return { ...found, owner: findOwner(found, item, subject) };
  return isOwn ? { family: unknownFamily, parts: {}, owner: "tenant" } : undefined;
};

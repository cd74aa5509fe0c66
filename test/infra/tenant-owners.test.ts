import { expect, test } from "vitest";
import { classify, type Item, type Subject } from "../../infra/tenant/classify.ts";

const [own, other] = [
  "0193f0a0-7c4b-7000-8000-00000000000a",
  "0193f0a0-7c4b-7000-8000-00000000000b",
];
const subject: Subject = {
  tenantId: own,
  slug: "acme",
  organizationId: "org",
  isOnlyTenant: false,
  keys: new Set(["k", "mine", "theirs"]),
  ownKeys: new Set(["mine"]),
  foreignKeys: new Set(["theirs"]),
};
const last = { ...subject, isOnlyTenant: true };

const item = (pk: string, sk: string, members: Record<string, string> = {}): Item =>
  Object.fromEntries(
    Object.entries({ pk, sk, ...members }).map(([name, text]) => [name, { S: text }]),
  );
const findOwner = (item: Item, of = subject) => classify(item, of)?.owner;

test.each([
  ["its own partition", item(`TENANT#${own}#AGENT#a`, "REV#1"), "tenant"],
  ["an unknown family", item(`TENANT#${own}#NEW#a`, "B"), "tenant"],
  ["a partition of another tenant", item(`TENANT#${other}#AGENT#a`, "REV#1"), undefined],
  ["its slug", item("TENANT#acme", "ALIAS"), "tenant"],
  ["another slug", item("TENANT#other", "ALIAS"), undefined],
  ["a listener of its webhook", item("EXPIRES#1", `2026-11-23#${own}#w`), "tenant"],
  ["a listener of another's", item("EXPIRES#1", `2026-11-23#${other}#w`), undefined],
  ["its event", item("OUTBOX#1", "EVENT#1", { tenantId: own, organizationId: "org" }), "tenant"],
  ["a key of its organization", item("ORG#org", "KEY#k"), "organization"],
  ["the key of its MCP server", item("ORG#org", "KEY#mine", { mcpTenantId: own }), "tenant"],
  [
    "the hash of that key",
    item("KEYHASH#1", "KEYHASH", { organizationId: "org", keyId: "mine" }),
    "tenant",
  ],
  ["the history of that key", item("KEY#mine", "AUDIT#1"), "tenant"],
  [
    "the key of another tenant's MCP server",
    item("ORG#org", "KEY#theirs", { mcpTenantId: other }),
    undefined,
  ],
  ["the history of a foreign organization's key", item("KEY#x", "AUDIT#1"), undefined],
  ["its audit record", item("ORG#org#AUDIT", "RECORD#1", { tenantId: own }), "tenant"],
  ["an audit record of the organization", item("ORG#org#AUDIT", "RECORD#1"), "organization"],
  [
    "an audit record of another tenant",
    item("ORG#org#AUDIT", "RECORD#1", { tenantId: other }),
    undefined,
  ],
  ["another organization's key", item("ORG#other", "KEY#k"), undefined],
  ["a counter", item("RATE#ADDRESS#127.0.0.1", "RATE"), undefined],
])("%s is classified by its owner", (_, item, owner) => {
  expect(findOwner(item)).toBe(owner);
});

test("the items of an organization are its last tenant's, with records of tenants before", () => {
  const record = item("ORG#org#AUDIT", "RECORD#1", { tenantId: other });
  expect(findOwner(record, last)).toBe("organization");
  expect(findOwner(item("ORG#org", "KEY#theirs", { mcpTenantId: other }), last)).toBe(
    "organization",
  );
  expect(findOwner(item("ORG#other#AUDIT", "RECORD#1", { tenantId: other }), last)).toBeUndefined();
});

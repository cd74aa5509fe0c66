import fc from "fast-check";
import { expect, test } from "vitest";
import { propertyRuns } from "../../test/harness/runs.ts";
import {
  sessionInstanceList,
  sessionKey,
  toSessionPlace,
  turnKey,
} from "../executions/session/keys.ts";
import { TenantId } from "../platform/db/tenant-id.ts";
import { uuidAt } from "../platform/runtime/runtime.ts";
import {
  factKey,
  memoriesList,
  namespaceKey,
  parseNamespaceKey,
  readMemoryId,
  toDueAttributes,
  toMemoryId,
  toNamespacePlace,
} from "./keys.ts";
import { readFactVectorKey, toFactVectorKey } from "./memory-item.ts";

/** Names with the characters of keys, of paths and of attacks. */
const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 128, unit: "binary" }),
  fc.string({
    minLength: 1,
    maxLength: 40,
    unit: fc.constantFrom("#", "/", "\0", ":", "..", "%", "NAMESPACE#", "MEMORY#", "a", "é", "é"),
  }),
);
const tenantId = fc.uuid().map((id) => TenantId.parse(id));
const agentId = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/);
const instance = fc.uuid({ version: 7 });
const place = fc.record({ tenantId, agentId, name });
const at = fc.integer({ min: 0, max: 4_000_000_000_000 });
const random = fc.uint8Array({ minLength: 10, maxLength: 10 });
const runs = { numRuns: propertyRuns(1_000, 100) };

const join = ({ pk, sk }: { pk: string; sk: string }): string => JSON.stringify([pk, sk]);
const holds = ({ pk, prefix }: { pk: string; prefix: string }, key: { pk: string; sk: string }) =>
  pk === key.pk && key.sk.startsWith(prefix);

test("two namespaces, or two sessions, of any names have no key and no list in common", () => {
  fc.assert(
    fc.property(place, place, instance, instance, (one, other, first, second) => {
      fc.pre(
        one.tenantId !== other.tenantId || one.agentId !== other.agentId || one.name !== other.name,
      );
      const [a, b] = [one, other].map((of) => toNamespacePlace(of.tenantId, of.agentId, of.name));
      const [c, d] = [one, other].map((of) => toSessionPlace(of.tenantId, of.agentId, of.name));
      if (!a || !b || !c || !d) throw new Error("there are no places");
      expect(join(namespaceKey(a))).not.toBe(join(namespaceKey(b)));
      expect(holds(memoriesList(a, first), factKey(b, first, second))).toBe(false);
      expect(join(sessionKey(c))).not.toBe(join(sessionKey(d)));
      expect(holds(sessionInstanceList(c, first), turnKey(d, first, 0))).toBe(false);
    }),
    runs,
  );
});

test("no characters of a name are in a key, and a key names its namespace again", () => {
  fc.assert(
    fc.property(place, at, (of, due) => {
      const found = toNamespacePlace(of.tenantId, of.agentId, of.name);
      const session = toSessionPlace(of.tenantId, of.agentId, of.name);
      expect(found.digest).toMatch(/^[\da-f]{32}$/);
      expect(session.digest).toMatch(/^[\da-f]{64}$/);
      expect(parseNamespaceKey(namespaceKey(found))).toEqual(found);
      expect(Object.values(toDueAttributes(found, due)).join()).toMatch(/^[\w#:.,-]+$/);
    }),
    runs,
  );
});

test("an id of a fact names its namespace and its uuid, also in the key of its vector, and no other text is one", () => {
  fc.assert(
    fc.property(place, at, random, name, (of, time, bytes, text) => {
      const found = toNamespacePlace(of.tenantId, of.agentId, of.name);
      const uuid = uuidAt(time, bytes);
      const id = toMemoryId(found, uuid);
      expect(readMemoryId(id)).toEqual({ digest: found.digest, uuid });
      expect(readFactVectorKey(toFactVectorKey(of.agentId, id))).toBe(id);
      expect(readMemoryId(id + text)).toBeUndefined();
      expect(readMemoryId(text + id)).toBeUndefined();
    }),
    runs,
  );
});

test("facts are in the order of their times, and turns in that of their numbers", () => {
  const number = fc.integer({ min: 0, max: 9_999_999_999 });
  fc.assert(
    fc.property(
      place,
      instance,
      fc.tuple(at, at),
      fc.tuple(number, number),
      random,
      (of, own, times, numbers, bytes) => {
        fc.pre(times[0] < times[1] && numbers[0] < numbers[1]);
        const found = toNamespacePlace(of.tenantId, of.agentId, of.name);
        const session = toSessionPlace(of.tenantId, of.agentId, of.name);
        const [early, late] = times.map((time) => factKey(found, own, uuidAt(time, bytes)).sk);
        const [before, after] = numbers.map((nth) => turnKey(session, own, nth).sk);
        expect((early ?? "") < (late ?? "")).toBe(true);
        expect((before ?? "") < (after ?? "")).toBe(true);
      },
    ),
    runs,
  );
});

test("sessions of a connector's conversations are those of its list, and no others", () => {
  fc.assert(
    fc.property(tenantId, fc.uuid(), fc.uuid(), name, (tenant, connector, other, conversation) => {
      fc.pre(connector !== other);
      const { digest } = toSessionPlace(tenant, "a", `${connector}:${conversation}`);
      expect(digest.startsWith(connector.replaceAll("-", ""))).toBe(true);
      expect(digest.startsWith(other.replaceAll("-", ""))).toBe(false);
    }),
    runs,
  );
});

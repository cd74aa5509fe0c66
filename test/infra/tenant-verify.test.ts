import { expect, test } from "vitest";
import { compareToDeleted } from "../../infra/tenant/verify-tenant.ts";

const none = { items: {}, expired: 0, objects: 0, vectors: 0, indexes: 0, schedules: 0 };

test("after a deletion, a lease that a late message has taken is right, and no other item is", () => {
  const items = { "slots of tenants": 1, agents: 1 };
  const compared = compareToDeleted({ ...none, items });
  expect(compared.filter(({ isRight }) => !isRight)).toEqual([
    { name: "agents", expected: 0, found: 1, isRight: false },
  ]);
  expect(compared).toContainEqual({
    name: "slots of tenants",
    expected: 0,
    found: 1,
    isRight: true,
  });
});

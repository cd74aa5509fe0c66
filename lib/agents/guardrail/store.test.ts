import { expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import type { Guardrail } from "./schemas.ts";
import {
  getGuardrailRevision,
  listGuardrailRevisions,
  putNewGuardrail,
  putNextGuardrail,
  removeGuardrail,
} from "./store.ts";

const first: Guardrail = {
  id: "privacy",
  displayName: "Privacy",
  checks: [{ id: "pii", type: "Pii", on: ["output"], action: "mask", onError: "block" }],
  revision: 1,
  createdAt: 1,
  modifiedAt: 1,
};

test("no revision is added to a deleted guardrail, and its id can be used again", async () => {
  const db = await testDatabase();
  const tenantId = testTenant(db).ctx.tenant.id;
  await putNewGuardrail(db, tenantId, first);
  const second = { ...first, revision: 2, modifiedAt: 2 };
  expect(await putNextGuardrail(db, tenantId, first, second)).toBe("written");
  expect(await removeGuardrail(db, tenantId, first.id)).toBe(true);
  expect(await putNextGuardrail(db, tenantId, second, { ...second, revision: 3 })).toBe("changed");
  const page = { size: 10, skip: 0 };
  expect((await listGuardrailRevisions(db, tenantId, first.id, page)).items).toEqual([]);
  const again = { ...first, displayName: "Again", createdAt: 3, modifiedAt: 3 };
  expect(await putNewGuardrail(db, tenantId, again)).toBe("written");
  expect(await getGuardrailRevision(db, tenantId, first.id, 1)).toMatchObject({
    displayName: "Again",
  });
  expect(await removeGuardrail(db, tenantId, first.id)).toBe(true);
  expect(await removeGuardrail(db, tenantId, first.id)).toBe(false);
});

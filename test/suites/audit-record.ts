import { expect } from "vitest";
import * as z from "zod";
import { toOperationId } from "../../lib/edge/operation-id.ts";
import type { Route } from "../../lib/edge/route.ts";
import { RawBody } from "../../lib/platform/http/raw-body.ts";
import { AuditRecordPage } from "../../lib/tenancy/audit/schemas.ts";
import { call, type newOrganization, type TestResponse } from "../harness/api.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

/** Expects exactly one audit record of a successful call, without any value that was sent or shown once. */
export const expectAuditRecord = async (
  row: Route,
  response: TestResponse,
  { own, body }: { own: Organization; body: unknown },
): Promise<void> => {
  const list = `/v1/auditEvents?resourceType=${row.audit?.resource}&PageSize=200`;
  const { body: page } = await call("GET", list, { token: own.token });
  const requestId = response.headers.get("x-request-id");
  const [record, ...others] = AuditRecordPage.parse(page).items.filter(
    ({ requestContext }) => requestContext.requestId === requestId,
  );
  expect(others).toEqual([]);
  expect(record).toMatchObject({
    tenantId: row.path.includes("{tenant}") ? own.tenantId : null,
    actor: { type: "ApiKey", email: null },
    action: toOperationId(row.operation),
    resource: { type: row.audit?.resource },
    requestContext: { method: row.method },
  });
  const sent = z.record(z.string(), z.unknown()).catch({}).parse(body);
  if (row.body !== RawBody) {
    expect(record?.changes).toEqual(expect.arrayContaining(Object.keys(sent)));
  }
  const shown = z.looseObject({ id: z.string().optional() }).catch({}).parse(response.body);
  if (row.audit?.newId && shown.id) {
    const owners = Object.keys(row.params ?? {}).length - row.audit.unnamed.length;
    const ids = record?.resource.id.split("/") ?? [];
    expect([ids.length, ids.at(-1)]).toEqual([owners + 1, shown.id]);
  }
  const hidden = [
    ...Object.entries(sent).flatMap(([name, value]) => (/^id$|Id$/.test(name) ? [] : [value])),
    ...row.shownOnce.map((member) => shown[member]),
  ].filter((value) => typeof value === "string" && value.length > 7);
  for (const value of hidden) expect(JSON.stringify(record)).not.toContain(value);
};

import { withCompanions } from "../platform/db/companion-writes.ts";
import type { Database } from "../platform/db/database.ts";
import type { TransactionWrite } from "../platform/db/transact.ts";
import { auditWrites } from "../tenancy/audit/audit-writes.ts";
import type { InTenant, Link } from "./context.ts";
import { toOperationId } from "./operation-id.ts";
import type { Parsed } from "./parse-request.ts";
import type { Row } from "./route.ts";

/** Set by `auditChanges`: the handler's handle on the table. */
export type Audited = { db: Database };

/**
 * Gives the handler of a row that changes a resource a handle on the table that stores the change's audit record in
 * the transaction of its first write. A call that writes nothing leaves no record.
 */
export const auditChanges = (row: Row): Link<InTenant & Parsed<Row> & Audited> => ({
  before: ({ context }) => {
    const { audit } = row;
    if (!audit) {
      context.db = context.database();
      return;
    }
    const { call, principal, tenant, pathValues, input } = context;
    const owners = Object.entries(pathValues).flatMap(([name, value]) =>
      name === "tenant" || audit.unnamed.includes(name) ? [] : [value],
    );
    context.db = withCompanions(context.database(), (writes, createdId) =>
      auditWrites(
        { ...call, principal },
        {
          tenantId: tenant?.id ?? null,
          action: toOperationId(row.operation),
          resource: {
            type: audit.resource,
            id:
              [
                ...owners,
                ...(createdId === undefined ? findNewIds(writes, audit.newId) : [createdId]),
              ].join("/") ||
              (tenant?.id ?? ""),
          },
          changes: namesOfMembers(input.body),
        },
      ),
    );
  },
});

/** Returns the id of the first new item, or the one that an update in place of it sets; none for other writes. */
const findNewIds = (writes: readonly TransactionWrite[], member: string | undefined): string[] => {
  if (member === undefined) return [];
  const ids = [
    ...writes.map(({ Put }): unknown => Put?.Item?.[member]),
    ...writes.map(({ Update }): unknown => Update?.ExpressionAttributeValues?.[`:${member}`]),
  ];
  return ids
    .filter((id) => id !== undefined && id !== null)
    .slice(0, 1)
    .map(String);
};

const namesOfMembers = (body: unknown): string[] =>
  typeof body === "object" && body !== null && !(body instanceof Uint8Array)
    ? Object.keys(body).toSorted()
    : [];

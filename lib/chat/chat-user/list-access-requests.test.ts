import { beforeAll, describe, expect, test } from "vitest";
import { testChatUsers } from "../../../test/harness/chat-users.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { transact } from "../../platform/db/transact.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { listAccessRequests } from "./request-store.ts";
import { putRequest } from "./request-writes.ts";
import type { AccessRequestStatus } from "./schemas.ts";

const total = 600;
const statuses: readonly AccessRequestStatus[] = ["Rejected", "Approved", "Pending"];

describe("a list of access requests", () => {
  let db: TestDatabase;
  let world: Awaited<ReturnType<typeof testChatUsers>>;
  /** Ids by status, newest first. */
  const idsByStatus = new Map<AccessRequestStatus, string[]>();
  const ids: string[] = [];

  beforeAll(async () => {
    db = await testDatabase();
    world = await testChatUsers(db);
    await world.write();
    const sample = await world.pending();
    await world.remove(sample.chatUserId);
    for (let start = 0; start < total; start += 50) {
      const requests = Array.from({ length: 50 }, (_, at) => {
        world.tenant.advance(1);
        const id = newUuid(world.tenant.ctx);
        const status = statuses[(start + at) % 10] ?? "Pending";
        ids.unshift(id);
        idsByStatus.set(status, [id, ...(idsByStatus.get(status) ?? [])]);
        return putRequest({ ...sample, id, status });
      });
      await transact(db, requests.flat());
    }
  });

  const read = async (status: AccessRequestStatus | undefined, skip: number, size = 25) => {
    db.calls.length = 0;
    const page = { skip, size };
    const found = await listAccessRequests(db, world.tenantId, { agentId: "hello", status }, page);
    return { ...found, ids: found.items.map(({ id }) => id), calls: db.calls.length };
  };

  test.each([undefined, ...statuses])(
    "of status %s is whole and newest first, page by page, at two reads a page",
    { tags: "nightly" },
    async (status) => {
      const wanted = (status ? idsByStatus.get(status) : ids) ?? [];
      const found: string[] = [];
      for (let skip = 0; ; ) {
        const page = await read(status, skip);
        expect(page.calls).toBeLessThanOrEqual(2);
        expect(page.items.every((item) => !status || item.status === status)).toBe(true);
        found.push(...page.ids);
        if (page.nextPageToken === null) break;
        skip = Number(page.nextPageToken);
      }
      expect(found).toEqual(wanted);
    },
  );

  test("has no next page token on its last page", async () => {
    expect(await read("Approved", 60)).toMatchObject({ ids: [], nextPageToken: null });
    expect(await read("Approved", 59)).toMatchObject({ nextPageToken: null });
  });
});

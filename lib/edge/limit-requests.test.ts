import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { linkRow, runLink } from "../../test/harness/link.ts";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { sampleHttpEvent } from "../../test/suites/sample-event.ts";
import { notFound, unauthenticated, unknownAddress } from "../platform/http/problems.ts";
import { limitAddress, limitRequests } from "./limit-requests.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const limits = { requests: 10, unauthenticatedRequests: 2, windowSeconds: 60 };
const { requestContext } = sampleHttpEvent(linkRow);

/** Calls in turn from one address that all fail in the same way. */
const fail = async (error: Error, count: number, known: object = {}) => {
  const event = { requestContext: { ...requestContext, identity: { sourceIp: randomUUID() } } };
  const work = () => {
    throw error;
  };
  const responses = [];
  for (let call = 0; call < count; call += 1) {
    responses.push(
      await runLink(
        limitRequests(() => limits),
        { event, work, known: { ...known, database: () => db } },
      ),
    );
  }
  return responses;
};

test("refused credentials and unknown tenants count against the source address, up to 429", async () => {
  for (const [error, status] of [
    [unauthenticated(), 401],
    [unknownAddress("tenant", "x"), 404],
  ] as const) {
    const responses = await fail(error, 3);
    expect(responses.map((response) => response.status)).toEqual([status, status, 429]);
    expect(responses.map(({ headers }) => headers?.["X-RateLimit-Remaining"])).toEqual([
      "1",
      "0",
      "0",
    ]);
    expect(responses[2]?.headers?.["Retry-After"]).toMatch(/^\d+$/);
  }
});

test("a resource that does not exist and an internal error do not count against the source address", async () => {
  db.calls.length = 0;
  await fail(notFound("agent", "x"), 3);
  await fail(new Error("inside"), 1);
  expect(db.calls).toEqual([]);
});

test("every call of a row that takes slots counts against the source address, also if it succeeds", async () => {
  for (const [slots, statuses] of [
    ["handler", [200, 200, 429]],
    [undefined, [200, 200, 200]],
  ] as const) {
    const event = { requestContext: { ...requestContext, identity: { sourceIp: randomUUID() } } };
    const link = limitAddress({ slots }, () => limits);
    const call = async () => (await runLink(link, { event, known: { database: () => db } })).status;
    expect([await call(), await call(), await call()]).toEqual(statuses);
  }
});

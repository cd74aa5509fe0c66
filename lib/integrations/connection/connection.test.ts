import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserSession } from "../../../test/harness/browser-session.ts";
import { connectable } from "../../../test/harness/connections.ts";
import { startIssuer } from "../../../test/harness/issuer.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";

let db: TestDatabase;
let issuer: Awaited<ReturnType<typeof startIssuer>>;

beforeAll(async () => {
  db = await testDatabase();
  issuer = await startIssuer(["http://localhost/v1/oauth/callback"]);
});
afterAll(() => issuer.close());
beforeEach(() => {
  Object.assign(issuer.person, { id: "ada", denies: false });
  for (const path of Object.keys(issuer.counts)) delete issuer.counts[path];
});

describe("a connection of a tenant", () => {
  test("calls the tools of its config as the person who gave consent", async () => {
    const { create, consent, call, read, close } = await connectable(db, issuer);
    const pending = await create();
    expect(pending).toMatchObject({ status: "Pending", owner: "tenant", scopes: [] });
    expect(await consent(pending)).toEqual({ outcome: "connected" });
    expect(await call()).toEqual({ person: "ada", scope: "files.read" });
    const active = await read(pending.id);
    expect(active).toMatchObject({
      status: "Active",
      scopes: ["files.read"],
      authorizeUrl: null,
      error: null,
    });
    await close();
  });
});

void browserSession;

import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { connectable } from "../../../test/harness/connections.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { startWrongIssuer } from "../../../test/harness/wrong-issuer.ts";
import { describeAuth } from "../tools/describe-auth.ts";
import { createConnection } from "./create-connection.ts";
import { listShownConnections } from "./show-connection.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await testDatabase();
});

const start = async (auth: object = {}) => {
  const issuer = await startWrongIssuer();
  onTestFinished(issuer.close);
  const world = await connectable(db, issuer, auth);
  onTestFinished(world.close);
  const { ctx, deps, configId } = world;
  const user = (id: string) => ({
    ...ctx,
    principal: { ...ctx.principal, type: "User" as const, id },
  });
  const key = { ...ctx, principal: { ...ctx.principal, type: "ApiKey" as const, id: "key-1" } };
  const createAs = (as: typeof ctx, more: object = {}) =>
    createConnection(deps, { ctx: as, body: { integrationConfigId: configId, ...more } });
  const describeAs = async (as: typeof ctx) => {
    const { oAuth } = await describeAuth(
      { storage: deps },
      { ctx: as, integrationId: "openapi", configId },
    );
    return oAuth;
  };
  return { ...world, issuer, user, key, createAs, describeAs };
};

describe("the owner of a connection", () => {
  test("is not an end user where the config has one connection for all", async () => {
    const { ctx, createAs } = await start();
    await expect(createAs(ctx, { endUserId: "ada" })).rejects.toMatchObject({
      slug: "validation-failed",
      members: {
        errors: [{ pointer: "/endUserId", detail: expect.stringContaining("must be absent") }],
      },
    });
  });

  test("is the end user, or else the calling user, and never an API key", async () => {
    const { key, user, createAs } = await start({ owner: "endUser" });
    await expect(createAs(key)).rejects.toMatchObject({
      slug: "validation-failed",
      members: {
        errors: [{ pointer: "/endUserId", detail: expect.stringContaining("is not a user") }],
      },
    });
    expect(await createAs(key, { endUserId: "ada" })).toMatchObject({
      ownerType: "EndUser",
      ownerId: "ada",
    });
    expect(await createAs(user("ada"))).toMatchObject({ ownerType: "User", ownerId: "ada" });
  });
});

describe("a list of connections", () => {
  test("has those of an end user, and not those of a user with the same id, of all configs or of one", async () => {
    const { ctx, deps, configId, configure, createAs, user } = await start({ owner: "endUser" });
    const otherId = await configure("Mails");
    for (const endUserId of ["ada", "bob", "eve"]) await createAs(ctx, { endUserId });
    await createAs(user("ada"));
    await createAs(ctx, { endUserId: "ada", integrationConfigId: otherId });
    const list = async (filter: object, page = { size: 10, skip: 0 }) => {
      const found = await listShownConnections(deps, { tenantId: ctx.tenant.id, filter, page });
      const items = found.items.map(({ endUserId, integrationConfigId }) => [
        endUserId,
        integrationConfigId,
      ]);
      return { items: items.toSorted(), next: found.nextPageToken };
    };
    const [mine, other] = [
      ["ada", configId],
      ["ada", otherId],
    ];
    const both = [mine, other].toSorted();
    expect(await list({ endUserId: "ada" })).toEqual({ items: both, next: null });
    expect(await list({ endUserId: "ada", configId })).toEqual({ items: [mine], next: null });
    expect(await list({ endUserId: "mallory" })).toEqual({ items: [], next: null });
    expect((await list({ configId })).items).toHaveLength(4);
    const pages = [];
    for (let next: string | null = "0"; next !== null; ) {
      const page = await list({ endUserId: "ada" }, { size: 1, skip: Number(next) });
      pages.push(...page.items);
      next = page.next;
    }
    expect(pages.toSorted()).toEqual(both);
  });
});

describe("a descriptor of a tool", () => {
  test("has the status and the given scopes of the connection, and those of the config before", async () => {
    const { ctx, issuer, create, consent, describeAs } = await start({
      scopes: ["files.read", "files.write"],
    });
    const wanted = ["files.read", "files.write"];
    expect(await describeAs(ctx)).toEqual([{ connectionStatus: null, scopes: wanted }]);
    const created = await create();
    expect(await describeAs(ctx)).toEqual([{ connectionStatus: "Pending", scopes: wanted }]);
    const token = { access_token: "access-1", token_type: "Bearer", expires_in: 600 };
    issuer.next.push({ body: { ...token, scope: "files.read" } });
    await consent(created);
    expect(await describeAs(ctx)).toEqual([{ connectionStatus: "Active", scopes: ["files.read"] }]);
  });

  test("has the connection of the calling user alone", async () => {
    const { user, key, createAs, read, consent, describeAs } = await start({ owner: "endUser" });
    await consent(await read((await createAs(user("ada"))).id));
    const scopes = ["files.read"];
    expect(await describeAs(user("ada"))).toEqual([{ connectionStatus: "Active", scopes }]);
    expect(await describeAs(user("bob"))).toEqual([{ connectionStatus: null, scopes }]);
    expect(await describeAs(key)).toEqual([{ connectionStatus: null, scopes }]);
  });

  test("has no connection that the next call finds unusable, as the config sends its calls elsewhere", async () => {
    const { ctx, create, consent, moveApi, describeAs, call } = await start();
    await consent(await create());
    await moveApi();
    const before = await describeAs(ctx);
    expect(before).toMatchObject([{ connectionStatus: "Expired" }]);
    await call().catch(() => {});
    expect(await describeAs(ctx)).toEqual(before);
  });

  test("has no connection of which the token is over and cannot be refreshed, and another consent can be given", async () => {
    const { ctx, issuer, create, consent, describeAs } = await start();
    issuer.next.push({
      body: { access_token: "access-1", token_type: "Bearer", expires_in: 600 },
    });
    const created = await create();
    await consent(created);
    expect(await describeAs(ctx)).toMatchObject([{ connectionStatus: "Active" }]);
    await expect(create()).rejects.toMatchObject({ slug: "conflict" });
    ctx.advance(600_000);
    expect(await describeAs(ctx)).toMatchObject([{ connectionStatus: "Expired" }]);
    expect(await create()).toMatchObject({ id: created.id, status: "Pending" });
  });
});

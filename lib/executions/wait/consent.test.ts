import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectable } from "../../../test/harness/connections.ts";
import { calls, resultsIn, textResult } from "../../../test/harness/flow.ts";
import { startIssuer } from "../../../test/harness/issuer.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { ask, buildFlow, testWaiting } from "../../../test/harness/waiting.ts";
import type { GenerateRequest } from "../../engine/models/model.ts";
import { createToolRegistry } from "../../engine/tools/registry.ts";
import { tenantTools } from "../../integrations/tools/tenant-tools.ts";
import { listApprovals } from "../approvals/approval-store.ts";
import { readTrace } from "../read/read-execution.ts";
import { endWait } from "./end-wait.ts";

let db: TestDatabase;
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let close: () => Promise<void> = async () => {};

beforeAll(async () => {
  db = await testDatabase();
  issuer = await startIssuer(["http://localhost/v1/oauth/callback"]);
});
afterAll(async () => {
  await issuer.close();
});
beforeEach(() => async () => {
  await close();
});

const start = async (auth: object = {}) => {
  const world = testWaiting(db);
  const connected = await connectable(db, issuer, auth, world.tenant);
  close = connected.close;
  const { deps } = world;
  const { loadTools } = connected;
  deps.toolsFor = (tenantId, people) =>
    tenantTools({ db, builtIn: createToolRegistry(), loadTools }, { tenantId, people });
  const approvals = () => Array.fromAsync(listApprovals(db, world.tenantId));
  const only = async () => {
    const [item] = await approvals();
    if (!item) throw new Error("there is no approval");
    return item;
  };
  const tool = { integrationId: "openapi", toolId: "me", configId: connected.configId };
  return { ...connected, ...world, deps, approvals, only, tool };
};

const step = (tool: object) => buildFlow([{ id: "me", type: "Tool", ...tool }], []);

describe("an execution with a tool that needs a consent", () => {
  test("waits with the address to open, and continues as the person who gave it", {
    tags: "nightly",
  }, async () => {
    const { deploy, execute, only, tool, consent, dueAfter, read, received } = await start();
    await deploy("a", step(tool));
    const { executionId, status } = (await execute("a")).execution;
    expect(status).toBe("Waiting");
    expect(received).toEqual([]);
    const item = await only();
    expect(item).toMatchObject({
      kind: "Authorization",
      stepId: "me",
      title: "Connect Files",
      status: "Pending",
      authorizeUrl: expect.stringContaining("/connection-links/"),
    });
    expect(await consent({ authorizeUrl: item.authorizeUrl ?? null })).toEqual({
      outcome: "connected",
    });
    await dueAfter(5_000);
    const { item: ended, output } = await read("a", executionId);
    expect(ended.status).toBe("Succeeded");
    expect(output?.output).toEqual({ person: "ada", scope: "files.read" });
    expect(await only()).toMatchObject({ status: "Decided" });
    expect(received).toHaveLength(1);
  });

  test("leaves no token in its trace, approval or any other item", {
    tags: "nightly",
  }, async () => {
    const { deploy, execute, only, tool, consent, dueAfter, received, deps, tenantId, tenant } =
      await start();
    await deploy("a", step(tool));
    const { executionId } = (await execute("a")).execution;
    await consent({ authorizeUrl: (await only()).authorizeUrl ?? null });
    await dueAfter(5_000);
    const token = received[0]?.replace("Bearer ", "") ?? "";
    expect(token.length).toBeGreaterThan(20);
    const trace = await readTrace(deps, {
      tenantId,
      agentId: "a",
      executionId,
      now: tenant.ctx.clock(),
    });
    expect(JSON.stringify(trace)).not.toContain(token);
    expect(JSON.stringify(await db.scan())).not.toContain(token);
  });

  test("fails when its approval is rejected, or no consent is given in time", {
    tags: "nightly",
  }, async () => {
    const { deploy, execute, approvals, tool, deps, tenantId, dueAfter, read } = await start();
    await deploy("a", step(tool));
    const first = (await execute("a")).execution;
    const [item] = await approvals();
    if (!item) throw new Error("there is no approval");
    const { root, executionId, path } = item;
    const answer = { action: "reject", decidedBy: "eve@example.com" };
    await endWait(deps, { tenantId, root, executionId, path, answer });
    await dueAfter(0);
    const rejected = await read("a", first.executionId);
    expect(rejected.output?.error?.detail).toBe("Rejected by eve@example.com.");
    const second = (await execute("a")).execution;
    await dueAfter(259_200_000 + 60_000);
    await dueAfter(60_000);
    const late = await read("a", second.executionId);
    expect(late.output?.error?.detail).toBe("No consent was given in time.");
  });

  test("is continued also when the consent came before its wait was stored", {
    tags: "nightly",
  }, async () => {
    const { deploy, execute, tool, dueAfter, read, create, consent, deps, loadTools, tenantId } =
      await start();
    await deploy("a", step(tool));
    let connect: Promise<unknown> | undefined;
    const registry = tenantTools({ db, builtIn: createToolRegistry(), loadTools }, { tenantId });
    deps.toolsFor = () => ({
      ...registry,
      load: async (...call) => {
        const found = await registry.load?.(...call);
        if (!found) throw new Error("no tool");
        return {
          ...found,
          run: async (...given) => {
            const outcome = await found.run(...given).catch((error: unknown) => ({ error }));
            connect ??= create().then(consent);
            await connect;
            if (typeof outcome === "object" && outcome !== null && "error" in outcome) {
              throw outcome.error;
            }
            return outcome;
          },
        };
      },
    });
    const { executionId, status } = (await execute("a")).execution;
    expect(status).toBe("Waiting");
    await dueAfter(5_000);
    expect((await read("a", executionId)).item.status).toBe("Succeeded");
  });

  test("uses the connection of its session's end user alone", { tags: "nightly" }, async () => {
    const world = await start({ owner: "endUser" });
    const { deploy, execute, only, tool, consent, dueAfter, read, approvals } = world;
    await deploy("a", { ...step(tool), useSession: true });
    const session = { id: "s1", endUserId: "bob" };
    issuer.person.id = "bob-at-issuer";
    const { executionId } = (await execute("a", { session })).execution;
    await consent({ authorizeUrl: (await only()).authorizeUrl ?? null });
    await dueAfter(5_000);
    const { output } = await read("a", executionId);
    expect(output?.output).toMatchObject({ person: "bob-at-issuer" });
    const again = (await execute("a", { session: { id: "s1" } })).execution;
    expect(again).toMatchObject({ status: "Succeeded", output: { person: "bob-at-issuer" } });
    const other = { id: "s2", endUserId: "eve" };
    expect((await execute("a", { session: other })).execution.status).toBe("Waiting");
    // The user "admin" who calls without a session is another owner than an end user "admin".
    expect((await execute("a")).execution.status).toBe("Waiting");
    const admin = { id: "s3", endUserId: "admin" };
    expect((await execute("a", { session: admin })).execution.status).toBe("Waiting");
    const ids = (await approvals()).map(({ connectionId }) => connectionId);
    expect(new Set(ids).size).toBe(4);
    issuer.person.id = "ada";
  });

  test("of a model keeps the other calls of its turn, and tells it of a rejection", {
    tags: "nightly",
  }, async () => {
    const { deploy, execute, only, tool, consent, dueAfter, read, deps, tenantId, received } =
      await start();
    const requests: GenerateRequest[] = [];
    const models = deps.modelsFor(tenantId);
    const turn = calls(["me", {}], ["current_time", {}]);
    deps.modelsFor = () => ({
      resolve: async (id) => {
        const provider = await models.resolve(id);
        return (
          provider && {
            ...provider,
            generate: async (request) => {
              requests.push(request);
              return requests.length === 1 ? turn : textResult("done");
            },
          }
        );
      },
    });
    await deploy("a", buildFlow([{ ...ask("go"), tools: [tool, "current_time"] }], []));
    const { executionId, status } = (await execute("a")).execution;
    expect(status).toBe("Waiting");
    await consent({ authorizeUrl: (await only()).authorizeUrl ?? null });
    await dueAfter(5_000);
    expect((await read("a", executionId)).item.status).toBe("Succeeded");
    expect(received).toHaveLength(1);
    expect(requests).toHaveLength(2);
    expect(resultsIn(requests[1])[0]?.output).toMatchObject({ person: "ada" });
  });
});

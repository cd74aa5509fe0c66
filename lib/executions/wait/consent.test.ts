import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectable } from "../../../test/harness/connections.ts";
import { calls, resultsIn, textResult } from "../../../test/harness/flow.ts";
import { startIssuer } from "../../../test/harness/issuer.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { ask, buildFlow, testWaiting } from "../../../test/harness/waiting.ts";
import { findAddress } from "../../approvals/find-address.ts";
import type { GenerateRequest, GenerateResult } from "../../engine/models/model.ts";
import { createToolRegistry } from "../../engine/tools/registry.ts";
import type { ToolRegistry } from "../../engine/tools/tool.ts";
import { listAllConnections, removeConnection } from "../../integrations/connection/store.ts";
import { tenantTools } from "../../integrations/tools/tenant-tools.ts";
import { endApproval, listApprovals } from "../approvals/approval-store.ts";
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

  test("waits for the consent to scopes that the service wants, and calls with them afterwards", {
    tags: "nightly",
  }, async () => {
    const { deploy, execute, approvals, tool, consent, create, dueAfter, read, wants } =
      await start();
    await consent(await create());
    wants.scope = "files.write";
    await deploy("a", step(tool));
    const { executionId, status } = (await execute("a")).execution;
    expect(status).toBe("Waiting");
    await dueAfter(5_000);
    expect((await read("a", executionId)).item.status).toBe("Waiting");
    const [item] = await approvals();
    expect(item?.message).toContain('needs the scopes "files.write"');
    const again = await create();
    expect(again).toMatchObject({ status: "Active", authorizeUrl: expect.any(String) });
    await consent({ authorizeUrl: item?.authorizeUrl ?? null });
    await dueAfter(5_000);
    const { output } = await read("a", executionId);
    expect(output?.output).toEqual({ person: "ada", scope: "files.read files.write" });
    // A scope that the issuer does not give is asked for once.
    wants.scope = "files.delete";
    const second = (await execute("a")).execution.executionId;
    const asks = (await approvals()).find(({ status: current }) => current === "Pending");
    await consent({ authorizeUrl: asks?.authorizeUrl ?? null });
    await dueAfter(5_000);
    const ended = await read("a", second);
    expect(ended.output?.error?.detail).toContain('needs the scopes "files.delete"');
  });

  test("waits again for scopes that the service wants after the first consent, and shows a Runner the first address only", {
    tags: "nightly",
  }, async () => {
    const { deploy, execute, approvals, tool, consent, dueAfter, read, wants } = await start();
    wants.scope = "files.write";
    await deploy("a", step(tool));
    const { executionId } = (await execute("a")).execution;
    const pending = async () =>
      (await approvals()).find(({ status: current }) => current === "Pending");
    const first = await pending();
    expect(first?.message).toContain("is not connected");
    await consent({ authorizeUrl: first?.authorizeUrl ?? null });
    await dueAfter(5_000);
    const second = await pending();
    expect(second?.message).toContain('needs the scopes "files.write"');
    const runner = { type: "User", id: "bob", scopes: ["agents:execute"] } as const;
    const admin = { ...runner, scopes: ["integrations:write"] };
    const addresses = [first, second].map((item) =>
      [runner, admin].map((reader) => item && findAddress(item, reader) !== undefined),
    );
    expect(addresses).toEqual([
      [true, true],
      [false, true],
    ]);
    await expect(consent({ authorizeUrl: first?.authorizeUrl ?? null })).rejects.toThrow("expired");
    await consent({ authorizeUrl: second?.authorizeUrl ?? null });
    await dueAfter(5_000);
    const { output } = await read("a", executionId);
    expect(output?.output).toEqual({ person: "ada", scope: "files.read files.write" });
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

  describe("to be listed", () => {
    /** A Prompt with tools that need a token as soon as they are loaded, as those of an MCP server. */
    const startListing = async (turns: GenerateResult[]) => {
      const world = await start();
      const { deps, loadTools, tenantId, approvals, consent } = world;
      const models = deps.modelsFor(tenantId);
      let asked = 0;
      const generate = async () => {
        asked += 1;
        return turns[asked - 1] ?? textResult("nothing more to say");
      };
      deps.modelsFor = () => ({
        resolve: async (id) => {
          const provider = await models.resolve(id);
          return provider && { ...provider, generate };
        },
      });
      const { clock } = world.tenant.ctx;
      deps.toolsFor = (id, people) => {
        const tools = tenantTools(
          { db, builtIn: createToolRegistry(), loadTools },
          { tenantId: id, people },
        );
        const load: ToolRegistry["load"] = async (name, given) => {
          const tool = await tools.load?.(name, given);
          if (!tool) throw new Error("there is no tool");
          await tool.run({}, { clock, ...given });
          return tool;
        };
        return { ...tools, load };
      };
      const pending = async () => (await approvals()).filter(({ status }) => status === "Pending");
      const consentTo = async (title: string) => {
        const item = (await pending()).find((one) => one.title === title);
        await consent({ authorizeUrl: item?.authorizeUrl ?? null });
        await world.dueAfter(5_000);
      };
      const titles = async () => (await pending()).map(({ title }) => title).toSorted();
      return { ...world, pending, titles, consentTo, asked: () => asked };
    };

    test("asks for the consents to all connections of a Prompt together, every one once", {
      tags: "nightly",
    }, async () => {
      const world = await startListing([textResult("done")]);
      const { deploy, execute, tool, configure, titles, consentTo, read, asked } = world;
      const other = { ...tool, configId: await configure("Mails") };
      await deploy("a", buildFlow([{ ...ask("go"), tools: [tool, other] }], []));
      const { executionId } = (await execute("a")).execution;
      expect(await titles()).toEqual(["Connect Files", "Connect Mails"]);
      await consentTo("Connect Files");
      expect((await read("a", executionId)).item.status).toBe("Waiting");
      expect(await titles()).toEqual(["Connect Mails"]);
      await consentTo("Connect Mails");
      const { item, output } = await read("a", executionId);
      expect([item.status, output?.output, asked()]).toEqual(["Succeeded", "done", 1]);
    });

    test.each([
      ["of the call", calls(["me", {}])],
      ["of another call", calls(["calculate", { expression: "1 + 1" }])],
    ])(
      "waits for another consent when its connection was lost during the approval %s",
      {
        tags: "nightly",
      },
      async (_, turn) => {
        const world = await startListing([turn, textResult("done")]);
        const { deploy, execute, tool, titles, consentTo, read, asked, pending, deps, tenantId } =
          world;
        const { configId, tenant } = world;
        const tools = [
          { ...tool, approval: true },
          { toolId: "calculate", approval: true },
        ];
        await deploy("a", buildFlow([{ ...ask("go"), tools }], []));
        const { executionId } = (await execute("a")).execution;
        await consentTo("Connect Files");
        const [asks] = await pending();
        if (!asks) throw new Error("there is no approval of the call");
        const connections = listAllConnections(db, tenantId, configId);
        for await (const connection of connections)
          await removeConnection(db, tenantId, connection);
        const answer = {
          action: "approve",
          fields: {},
          comment: null,
          decidedBy: "eve",
          decidedAt: 1,
        };
        await endWait(deps, {
          tenantId,
          root: asks.root,
          executionId,
          path: asks.path,
          answer,
          writes: [
            endApproval(tenantId, asks, { status: "Decided", decidedAt: tenant.ctx.clock() }),
          ],
        });
        await world.dueAfter(0);
        expect([(await read("a", executionId)).item.status, asked()]).toEqual(["Waiting", 1]);
        expect(await titles()).toEqual(["Connect Files"]);
        await consentTo("Connect Files");
        const { item, output } = await read("a", executionId);
        expect([item.status, output?.output, asked()]).toEqual(["Succeeded", "done", 2]);
      },
    );
  });
});

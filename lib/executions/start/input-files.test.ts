import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { testExecutions } from "../../../test/harness/execution.ts";
import { listen } from "../../../test/harness/listen.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { loadDeployed } from "../../agents/revision/load-deployed.ts";
import { FlowFile } from "../../engine/flow-file.ts";
import { createFile } from "../../files/create-file.ts";
import { readFile } from "../../files/read-file.ts";
import { addStoredBytes, getUsedFile, listFileUses } from "../../files/store.ts";
import { toDay } from "../../platform/db/keys.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { Json } from "../../values/json/json.ts";
import { executeAgent } from "../run/execute-agent.ts";
import { triggerTypes } from "../schemas.ts";
import { toTriggeredSession, withWorker } from "./plan-start.ts";
import { startExecution } from "./start-execution.ts";
import { planTriggered, recordRefusal, startTriggered } from "./start-triggered.ts";

const png = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
  Buffer.alloc(64),
]);
const photo = { name: "photo", type: "File", accept: ["image/*"], maxBytes: 1_000 };
const reader = (parameter: object = photo) => ({
  parametersMetadata: [parameter],
  flow: {
    steps: [{ id: "out", type: "Output", value: "{% input.photo %}" }],
    edges: [],
  },
});
const base64 = png.toString("base64");

describe("files of inputs", () => {
  let db: TestDatabase;
  let world: ReturnType<typeof testExecutions>;
  let server: { url: string; close: () => Promise<void> };
  let requests: number;
  beforeAll(async () => {
    db = await testDatabase();
    const app: Server = createServer((request, response) => {
      requests += 1;
      if (request.url?.startsWith("/missing")) response.writeHead(404);
      response.end(request.url?.startsWith("/large") ? Buffer.alloc(2_000) : png);
    });
    server = await listen(app);
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    requests = 0;
    world = testExecutions(db);
    await world.deploy("reader", reader());
  });

  const run = (input: object, agentId = "reader") =>
    world.executeToEnd(agentId, { input: z.record(z.string(), z.json()).parse(input) });
  const problems = async (input: object, agentId?: string) => {
    const error: unknown = await run(input, agentId).then(
      () => undefined,
      (refused: unknown) => refused,
    );
    return z
      .object({
        members: z.object({
          errors: z.array(z.object({ pointer: z.string(), detail: z.string() })),
        }),
      })
      .parse(error).members.errors;
  };
  const store = (name: string, content: Uint8Array, creatorId = "admin") =>
    createFile(
      { db, files: world.deps.files.objects },
      {
        tenantId: world.tenantId,
        id: newUuid(world.tenant.ctx),
        name,
        content,
        creator: { type: "User", id: creatorId },
        retentionDays: 30,
        now: world.tenant.ctx.clock(),
      },
    );

  test("content in an input is stored, and expressions and the record see only its reference", async () => {
    const { executionId, output } = await run({ photo: { base64, name: "cat.png" } });
    const file = FlowFile.parse(output);
    expect(output).toEqual({
      id: expect.any(String),
      name: "cat.png",
      mediaType: "image/png",
      bytes: png.byteLength,
    });
    const { input } = await world.read("reader", executionId);
    expect(input.input).toMatchObject({ input: { photo: file } });
    const { principal } = world.tenant.ctx;
    const read = {
      tenantId: world.tenantId,
      principal,
      fileId: file.id,
      now: world.tenant.ctx.clock(),
    };
    const stored = await readFile(db, read);
    expect(Buffer.from((await world.deps.files.objects.get(stored.object)) ?? [])).toEqual(png);
  });

  test("a file at an address is fetched once and named by the address", async () => {
    const { output } = await run({ photo: { url: `${server.url}/pictures/my%20cat.png?x=1` } });
    expect(output).toMatchObject({ name: "my cat.png", mediaType: "image/png" });
    expect(requests).toBe(1);
  });

  test("files at addresses are fetched with a slot of the tenant, whether or not the caller waits", async () => {
    const slots = { most: 1, taken: 0 };
    const takeSlot = async () => {
      if (slots.taken === slots.most) return undefined;
      slots.taken += 1;
      const release = async () => {
        slots.taken -= 1;
      };
      return { release };
    };
    const execute = (file: object, waitMs: number | undefined) => {
      const limits = { deadline: world.tenant.ctx.clock() + 60_000, events: undefined };
      const ctx = { ...world.tenant.ctx, ...limits, waitUntil: () => undefined, takeSlot };
      const body = { input: z.record(z.string(), z.json()).parse({ photo: file }) };
      const { api: triggerType } = triggerTypes;
      const call = { agentId: "reader", body, triggerType, isSample: false, waitMs };
      return executeAgent(world.deps, { ctx, ...call });
    };
    const atAddress = { url: `${server.url}/cat.png` };
    for (const waitMs of [0, undefined]) await execute(atAddress, waitMs);
    expect([requests, slots.taken]).toEqual([2, 0]);
    slots.most = 0;
    for (const waitMs of [0, undefined]) {
      await expect(execute(atAddress, waitMs)).rejects.toMatchObject({
        slug: "rate-limit-exceeded",
      });
      await execute({ base64, name: "cat.png" }, waitMs);
    }
    expect(requests).toBe(2);
  });

  test("a stored file of the caller is accepted by its id, and as a record shows it", async () => {
    const { id } = await store("cat.png", png);
    const first = await run({ photo: { fileId: id } });
    expect(first.output).toMatchObject({ id, name: "cat.png" });
    expect((await run({ photo: first.output })).output).toEqual(first.output);
  });

  test("files of others, unknown ones and expired ones do not exist", async () => {
    const { id } = await store("cat.png", png, "somebody");
    const unknown = newUuid(world.tenant.ctx);
    const detail = (fileId: string) => `names no file: there is no stored file "${fileId}"`;
    for (const fileId of [id, unknown, "../x"]) {
      expect(await problems({ photo: { fileId } })).toEqual([
        { pointer: "/input/photo", detail: detail(fileId) },
      ]);
    }
    const own = await store("cat.png", png);
    world.tenant.advance(31 * 24 * 3_600_000);
    expect(await problems({ photo: { fileId: own.id } })).toHaveLength(1);
  });

  test.each([
    [
      "another media type than its content's name says",
      { base64: Buffer.from("text").toString("base64"), name: "cat.png" },
      "is of the type text/plain; accepted are image/*",
    ],
    [
      "too many bytes",
      { base64: Buffer.concat([png, Buffer.alloc(1_000)]).toString("base64") },
      "has 1080 bytes; at most 1000 are accepted",
    ],
    ["nothing", { base64: "" }, "is an empty file"],
    ["no base64", { base64: "a b" }, 'has a "base64" that is not base64'],
    ["two forms", { base64, fileId: "x" }, expect.stringContaining("must be a file")],
    ["a path as its name", { base64, name: "../x" }, 'has a "name" that is not one of a file'],
    ["a list", [{ base64 }], expect.stringContaining("not a list")],
    ["a text", "cat.png", expect.stringContaining("must be a file")],
  ])("a file with %s is refused", async (_, value, detail) => {
    expect(await problems({ photo: value })).toEqual([{ pointer: "/input/photo", detail }]);
    expect(
      [...world.tenant.deps.objects.all.keys()].filter((key) => key.startsWith("files/")),
    ).toEqual([]);
  });

  test.each([
    ["does not exist", "/missing", "could not be fetched: its server responded with 404"],
    ["is too large", "/large", expect.stringContaining("could not be fetched")],
  ])("a file at an address that %s is refused", async (_, path, detail) => {
    expect(await problems({ photo: { url: server.url + path } })).toEqual([
      { pointer: "/input/photo", detail },
    ]);
  });

  test("private addresses are not called", async () => {
    const outgoing = { allowPrivateAddresses: false };
    const deps = { ...world.deps, files: { ...world.deps.files, outgoing } };
    const input = { photo: { url: `${server.url}/cat.png`.replace("http:", "https:") } };
    await expect(world.executeToEnd("reader", { input }, deps)).rejects.toThrow();
    expect(requests).toBe(0);
  });

  test("an input with several files is a list, and each refusal has its place", async () => {
    await world.deploy("album", reader({ ...photo, multiple: true }));
    const { output } = await run(
      {
        photo: [
          { base64, name: "a.png" },
          { base64, name: "b.png" },
        ],
      },
      "album",
    );
    expect(output).toMatchObject([{ name: "a.png" }, { name: "b.png" }]);
    expect((await run({ photo: { base64 } }, "album")).output).toMatchObject([{ name: "file" }]);
    expect(await problems({ photo: [{ base64 }, { base64: "" }] }, "album")).toMatchObject([
      { pointer: "/input/photo/1" },
    ]);
    const many = Array.from({ length: 21 }, () => ({ base64 }));
    expect(await problems({ photo: many }, "album")).toMatchObject([
      { detail: "must have at most 20 files" },
    ]);
  });

  test("beyond the bytes that the tenant stores on a day are refused, but not stored ones", async () => {
    const { id } = await store("cat.png", png);
    const now = world.tenant.ctx.clock();
    const most = 100 * 1024 ** 3;
    const counted = { day: toDay(now), bytes: most - png.byteLength, most, now };
    expect(await addStoredBytes(db, world.tenantId, counted)).toBe(true);
    expect(await problems({ photo: { base64 } })).toMatchObject([
      { pointer: "/input/photo", detail: expect.stringContaining("exceeds the 100 GiB of files") },
    ]);
    expect((await run({ photo: { fileId: id } })).output).toMatchObject({ id });
  });

  test("of which one is refused, none is stored but those of the caller", async () => {
    await world.deploy("album", reader({ ...photo, multiple: true }));
    const { id } = await store("cat.png", png);
    const files = () =>
      [...world.tenant.deps.objects.all.keys()].filter((key) => key.startsWith("files/"));
    const [own] = files();
    await problems({ photo: [{ fileId: id }, { base64 }, { base64: "" }] }, "album");
    expect(files()).toEqual([own]);
    expect(await listFileUses(db, world.tenantId, id)).toEqual([]);
  });

  test("that an earlier attempt at a start stored stay when a later attempt is refused", async () => {
    await world.deploy("album", reader({ ...photo, multiple: true }));
    const deployed = await loadDeployed(world.deps, {
      tenantId: world.tenantId,
      agentId: "album",
    });
    if ("missing" in deployed) throw new Error("not deployed");
    const request = {
      tenantId: world.tenantId,
      executionId: newUuid(world.tenant.ctx),
      trigger: { type: triggerTypes.webhook, id: "hook", provider: "github" },
    };
    const attempt = (...values: object[]) =>
      planTriggered(world.deps, { deployed, request: { ...request, input: { photo: values } } });
    const files = () =>
      [...world.tenant.deps.objects.all.keys()].filter((key) => key.startsWith("files/"));
    await attempt({ base64 });
    const stored = files();
    expect(stored).toHaveLength(1);
    expect(await attempt({ base64 }, { base64: "" })).toMatchObject({ refusal: {} });
    expect(files()).toEqual(stored);
  });

  describe("of a start that is refused", () => {
    const listObjects = () =>
      [...world.tenant.deps.objects.all.keys()].filter((key) => key.startsWith("files/"));
    const album = { ...photo, multiple: true };
    const talking = { ...reader(album), useSession: true };
    /** Returns what is left of files: the caller's own, without a use. */
    const leaveOwn = async (start: (input: Record<string, Json>) => Promise<unknown>) => {
      const { id } = await store("cat.png", png);
      const own = listObjects();
      await expect(start({ photo: [{ fileId: id }, { base64 }] })).rejects.toMatchObject({
        slug: expect.stringMatching(/^(conflict|rate-limit-exceeded)$/),
      });
      expect(listObjects()).toEqual(own);
      expect(await listFileUses(db, world.tenantId, id)).toEqual([]);
    };

    test("by a busy session, only those of the caller are left, without a use", async () => {
      await world.deploy("talks", talking);
      await world.execute("talks", { session: { id: "s" } }, 0);
      await leaveOwn((input) =>
        world.execute("talks", { input, session: { id: "s", whenBusy: "reject" } }),
      );
      const { execution } = await world.execute("talks", { input: { photo: { base64 } } });
      expect(execution).toMatchObject({ output: [{ name: "file" }] });
    });

    test("by the limit of executions at the same time, only those of the caller are left", async () => {
      const llm = { providerId: "test", parameters: { model: "m" } };
      const steps = [{ id: "ask", type: "Prompt", prompt: "Look", llm }];
      await world.deploy("asks", { ...reader(album), flow: { steps, edges: [] } });
      const ctx = {
        ...world.tenant.ctx,
        deadline: world.tenant.ctx.clock() + 900_000,
        events: undefined,
        once: undefined,
        waitUntil: () => undefined,
        takeSlot: async () => undefined,
      };
      await leaveOwn((input) =>
        executeAgent(world.deps, {
          ctx,
          agentId: "asks",
          body: { input },
          triggerType: triggerTypes.api,
          isSample: false,
          isRefused: true,
          waitMs: undefined,
        }),
      );
    });

    test("while another attempt starts it, those of the other attempt are left, with their use", async () => {
      await world.deploy("talks", talking);
      await world.execute("talks", { session: { id: "s" } }, 0);
      const { tenantId } = world;
      const deployed = await loadDeployed(world.deps, { tenantId, agentId: "talks" });
      if ("missing" in deployed) throw new Error("not deployed");
      const executionId = newUuid(world.tenant.ctx);
      const plan = async () => {
        const session = toTriggeredSession({ id: "s" });
        const trigger = { type: triggerTypes.webhook, id: "hook", provider: "github" };
        const input = { photo: [{ base64 }] };
        const request = { tenantId, executionId, trigger, session, input };
        const planned = await planTriggered(world.deps, { deployed, request });
        if ("refusal" in planned) throw new Error(planned.refusal.detail);
        return withWorker(planned);
      };
      const [first, second] = [await plan(), await plan()];
      db.beforeNext("GetItem", () => startExecution(world.deps, second));
      const session = first.session && { ...first.session, whenBusy: "reject" as const };
      await expect(startExecution(world.deps, { ...first, session })).rejects.toThrow("is busy");
      expect(listObjects()).toHaveLength(1);
      const [file] = FlowFile.array().parse(second.input.photo);
      const uses = await listFileUses(db, tenantId, file?.id ?? "");
      expect(uses).toEqual([expect.objectContaining({ executionId })]);
    });

    test("after its refusal was recorded, none is left", async () => {
      const deployed = await loadDeployed(world.deps, {
        tenantId: world.tenantId,
        agentId: "reader",
      });
      if ("missing" in deployed) throw new Error("not deployed");
      const cause = {
        tenantId: world.tenantId,
        executionId: newUuid(world.tenant.ctx),
        trigger: { type: triggerTypes.schedule, id: "daily", provider: null },
      };
      const refusal = { slug: "execution-failed", detail: "The session is busy." } as const;
      expect(await recordRefusal(world.deps, { deployed, cause, refusal })).toBe(true);
      const request = { ...cause, input: { photo: { base64 } } };
      expect(await startTriggered(world.deps, { deployed, request })).toBeUndefined();
      expect(await world.list("reader")).toMatchObject([{ status: "Failed" }]);
      expect(listObjects()).toEqual([]);
    });

    test("since it was started before, those of the first start are left", async () => {
      await world.deploy("talks", talking);
      const deployed = await loadDeployed(world.deps, {
        tenantId: world.tenantId,
        agentId: "talks",
      });
      if ("missing" in deployed) throw new Error("not deployed");
      const start = (executionId: string, owner: string) =>
        startTriggered(world.deps, {
          deployed,
          request: {
            tenantId: world.tenantId,
            executionId,
            trigger: { type: triggerTypes.webhook, id: "hook", provider: "github" },
            session: toTriggeredSession({ id: "s", endUserId: owner }),
            input: { photo: [{ base64 }] },
          },
        });
      const first = newUuid(world.tenant.ctx);
      expect(await start(first, "ada")).toBeUndefined();
      const stored = listObjects();
      expect(stored).toHaveLength(1);
      expect(await start(first, "ada")).toBeUndefined();
      expect(listObjects()).toEqual(stored);
      const refusal = await start(newUuid(world.tenant.ctx), "bob");
      expect(refusal?.detail).toContain("belongs to another end user");
      expect(listObjects()).toEqual(stored);
    });
  });

  test("the files of a sub-agent's output are those of its caller, too", async () => {
    await world.deploy("asks", {
      parametersMetadata: [photo],
      flow: {
        steps: [
          {
            id: "call",
            type: "SubAgent",
            agentId: "reader",
            input: { photo: { url: `${server.url}/cat.png` } },
          },
          { id: "out", type: "Output", value: { found: ["{% steps.call.output %}"] } },
        ],
        edges: [{ source: "call", target: "out" }],
      },
    });
    const { output, executionId } = await run({}, "asks");
    const [file] = z.object({ found: z.array(FlowFile) }).parse(output).found;
    const user = { agentId: "asks", executionId };
    const used = { fileId: file?.id ?? "", user, now: world.tenant.ctx.clock() };
    expect(await getUsedFile(db, world.tenantId, used)).toMatchObject({ name: "cat.png" });
  });

  test("a sub-agent gets the files of its caller, and no others", async () => {
    const call = (input: unknown) => ({
      parametersMetadata: [photo, { name: "other", type: "String" }],
      flow: { steps: [{ id: "call", type: "SubAgent", agentId: "reader", input }], edges: [] },
    });
    await world.deploy("passes", call({ photo: "{% input.photo %}" }));
    const { output } = await run({ photo: { base64, name: "cat.png" } }, "passes");
    expect(output).toMatchObject({ name: "cat.png" });

    await world.deploy("guesses", call({ photo: { fileId: "{% input.other %}" } }));
    const { id } = await store("cat.png", png);
    await expect(run({ photo: { base64 }, other: id }, "guesses")).rejects.toThrow("names no file");
  });

  test("a trigger names no stored file, and stores the same files when it is repeated", async () => {
    const deployed = await loadDeployed(world.deps, {
      tenantId: world.tenantId,
      agentId: "reader",
    });
    if ("missing" in deployed) throw new Error("not deployed");
    const request = (value: object) => ({
      tenantId: world.tenantId,
      executionId: newUuid(world.tenant.ctx),
      trigger: { type: triggerTypes.webhook, id: "hook", provider: "github" },
      input: { photo: value },
    });
    const { id } = await store("cat.png", png);
    const refused = await planTriggered(world.deps, { deployed, request: request({ fileId: id }) });
    expect(refused).toMatchObject({
      refusal: { detail: expect.stringContaining("names a stored file") },
    });

    const repeated = request({ url: `${server.url}/cat.png` });
    const plans = [
      await planTriggered(world.deps, { deployed, request: repeated }),
      await planTriggered(world.deps, { deployed, request: repeated }),
    ];
    const [first, second] = plans.map((plan) => ("values" in plan ? plan.values.photo : undefined));
    expect(FlowFile.parse(first)).toEqual(FlowFile.parse(second));
    expect(requests).toBe(1);
  });
});

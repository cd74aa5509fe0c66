import { beforeAll, describe, expect, test } from "vitest";
import type { Respond } from "../../../test/harness/execution.ts";
import {
  asking,
  exact,
  people,
  templateRevision,
  testExperiments,
  upper,
} from "../../../test/harness/experiments.ts";
import { failureStep } from "../../../test/harness/runs.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { RevisionContent } from "../../agents/revision/content.ts";
import { createRevision } from "../../agents/revision/create-revision.ts";
import { createSkill } from "../../agents/skill/create-skill.ts";
import { removeSkill } from "../../agents/skill/store.ts";
import { createEventDestination } from "../../notifications/destination/create-event-destination.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import { addExamples } from "../dataset/add-examples.ts";
import { createDataset } from "../dataset/create-dataset.ts";
import { deleteDataset } from "../dataset/delete-dataset.ts";
import type { SentExample } from "../dataset/schemas.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await testDatabase();
});

const setUp = (
  revisions: readonly unknown[],
  respond?: Respond,
  examples: readonly SentExample[] = people,
) => testExperiments(db, { revisions, respond, examples });

describe("an experiment", () => {
  test("runs every example with every revision as a sample, scores it, and sums it up", {
    tags: "nightly",
  }, async () => {
    const world = await setUp([
      upper,
      templateRevision("{% input.name = 'bob' ? '?' : $uppercase(input.name) %}"),
    ]);
    await world.scorer(exact);
    await world.scorer({
      id: "short",
      displayName: "Short",
      type: "Expression",
      value: "$length(output) <= 2",
    });
    const id = await world.create({
      revisions: [1, 2],
      scorers: ["correct", "short"],
      concurrency: 2,
    });
    expect(await world.read(id)).toMatchObject({
      status: "Queued",
      progress: { total: 6, completed: 0 },
    });
    expect(world.queued.experiments).toMatchObject([{ type: "run-experiment", experimentId: id }]);
    await world.drive(id);
    const experiment = await world.read(id);
    expect(experiment).toMatchObject({
      status: "Succeeded",
      error: null,
      endedAt: expect.any(Number),
      progress: { total: 6, completed: 6, failed: 0 },
      versions: [{ revision: 1, skills: [], integrationConfigs: [] }, { revision: 2 }],
    });
    expect(experiment.summary).toMatchObject([
      {
        revision: 1,
        scorer: "correct",
        mean: 1,
        interval: [1, 1],
        passRate: 1,
        count: 3,
        failures: 0,
      },
      { revision: 1, scorer: "short", mean: 1 / 3 },
      { revision: 2, scorer: "correct", mean: 2 / 3, passRate: 2 / 3, p50Ms: expect.any(Number) },
      { revision: 2, scorer: "short", mean: 2 / 3 },
    ]);
    const { items } = await world.results(id);
    expect(items.map(({ revision, exampleId }) => [revision, exampleId])).toEqual(
      [1, 2].flatMap((revision) => ["ada", "bob", "cy"].map((name) => [revision, name])),
    );
    expect(await world.list("a")).toHaveLength(6);
    expect((await world.list("a"))[0]).toMatchObject({
      isSample: true,
      trigger: { type: 5, id },
      metadata: { experimentId: id },
    });
  });

  test("lists the examples that fell against another revision, with both outputs", {
    tags: "nightly",
  }, async () => {
    const world = await setUp([
      upper,
      templateRevision("{% input.name = 'bob' ? '?' : $uppercase(input.name) %}"),
    ]);
    await world.scorer(exact);
    const id = await world.create({ revisions: [1, 2] });
    await world.drive(id);
    const { items, nextPageToken } = await world.results(id, { regressedFrom: 1 });
    expect(nextPageToken).toBeNull();
    expect(items).toMatchObject([
      {
        revision: 2,
        exampleId: "bob",
        output: "?",
        regressions: [{ scorer: "correct", before: 1, after: 0 }],
        baseline: { revision: 1, output: "BOB", scores: [{ value: 1 }] },
      },
    ]);
    expect((await world.results(id, { regressedFrom: 2 })).items).toEqual([]);
    for (const filters of [
      { revision: 3 },
      { scorer: "none" },
      { revision: 1, regressedFrom: 1 },
    ]) {
      await expect(world.results(id, filters)).rejects.toMatchObject({ slug: "validation-failed" });
    }
  });

  test("pages the regressions by example, whatever the repetitions", {
    tags: "nightly",
  }, async () => {
    const world = await setUp([upper, templateRevision("{% input.name = 'bob' ? 'BOB' : '?' %}")]);
    await world.scorer(exact);
    const id = await world.create({ revisions: [1, 2], repetitions: 2 });
    await world.drive(id);
    const found: string[] = [];
    for (let skip = "0"; ; ) {
      const page = { size: 1, skip: Number(skip) };
      const { items, nextPageToken } = await world.results(id, { regressedFrom: 1 }, page);
      found.push(...items.map(({ exampleId }) => exampleId));
      if (nextPageToken === null) break;
      skip = nextPageToken;
    }
    expect(found).toEqual(["ada", "cy"]);
  });

  test("runs at most `concurrency` at a time, and averages repetitions by example first", {
    tags: "nightly",
  }, async () => {
    let running = 0;
    let most = 0;
    let askedForAda = 0;
    const world = await setUp([asking], async (name) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
      if (name === "ada") askedForAda += 1;
      return name === "ada" && askedForAda === 2 ? "?" : name.toUpperCase();
    });
    await world.scorer(exact);
    const id = await world.create({ repetitions: 2, concurrency: 3 });
    await world.drive(id);
    const { summary, progress, totalCost } = await world.read(id);
    expect(progress).toEqual({ total: 6, completed: 6, failed: 0 });
    expect(most).toBeLessThanOrEqual(3);
    expect(summary).toMatchObject([{ mean: 5 / 6, passRate: 5 / 6, count: 6, totalCost: 0.06 }]);
    expect(totalCost).toBe(0.06);
  });

  test("counts a failed run and a refused input as 0, with the reason", {
    tags: "nightly",
  }, async () => {
    const world = await setUp([templateRevision("{% $error('no') %}")], undefined, [
      { id: "ada", input: { name: "ada" }, expected: "ADA" },
      { id: "bob", input: { nam: "bob" }, expected: "BOB" },
    ]);
    await world.scorer(exact);
    const id = await world.create();
    await world.drive(id);
    const { status, summary, progress } = await world.read(id);
    expect({ status, progress }).toEqual({
      status: "Succeeded",
      progress: { total: 2, completed: 2, failed: 2 },
    });
    expect(summary).toMatchObject([{ mean: 0, count: 2, failures: 2 }]);
    expect((await world.results(id)).items).toMatchObject([
      {
        exampleId: "ada",
        status: "Failed",
        executionId: expect.any(String),
        error: expect.any(String),
      },
      {
        exampleId: "bob",
        status: "Failed",
        executionId: null,
        error: expect.stringContaining("/input/nam"),
      },
    ]);
  });

  test("stays with its dataset's version and its scorers, whatever is changed meanwhile", {
    tags: "nightly",
  }, async () => {
    const world = await setUp([upper]);
    await world.scorer(exact);
    const id = await world.create();
    await addExamples(world.deps, {
      ctx: world.tenant.ctx,
      datasetId: "d",
      items: [
        { id: "ada", input: { name: "eve" }, expected: "?" },
        { id: "zoe", input: {} },
      ],
    });
    await world.drive(id);
    expect(await world.read(id)).toMatchObject({ version: 1, summary: [{ mean: 1, count: 3 }] });
    const later = await world.create({ version: 1 });
    await world.drive(later);
    expect(await world.read(later)).toMatchObject({ version: 1, progress: { total: 3 } });
  });

  test("names everything that does not exist, and needs examples", async () => {
    const world = await setUp([upper], undefined, people);
    await expect(
      world.create({ datasetId: "none", scorers: ["none"], revisions: [1, 7] }),
    ).rejects.toMatchObject({
      members: {
        errors: [{ pointer: "/datasetId" }, { pointer: "/scorers/0" }, { pointer: "/revisions/1" }],
      },
    });
  });
});

describe("an experiment that is cut off", () => {
  test.each([
    "UpdateItem",
    "BatchExecuteStatement",
    "PutItem",
    "TransactWriteItems",
    "BatchGetItem",
  ])(
    "at any %s continues: every run exists once, and is counted once",
    { tags: "nightly" },
    async (command) => {
      for (let passing = 0; ; passing += failureStep) {
        const world = await setUp([asking], (name) => name.toUpperCase());
        await world.scorer(exact);
        const id = await world.create({ concurrency: 2 });
        db.failNext(command, passing);
        for (let attempt = 1; !(await world.isEnded(id)); attempt += 1) {
          if (attempt > 5) throw new Error(`not ended after a failure of ${command} ${passing}`);
          await world.drive(id, attempt).catch(() => undefined);
          // Recovery finds executions without a message, and leases of crashed runs.
          world.tenant.advance(120_000);
          await world.recoverAll();
        }
        const isOver = db.clearFailures();
        const experiment = await world.read(id);
        expect(experiment, `${command} ${passing}`).toMatchObject({
          status: "Succeeded",
          progress: { total: 3, completed: 3, failed: 0 },
          summary: [{ mean: 1, count: 3 }],
        });
        expect(await world.list("a")).toHaveLength(3);
        if (isOver) break;
      }
    },
  );

  test("is continued by the next message when time is over", { tags: "nightly" }, async () => {
    const world = await setUp([upper]);
    await world.scorer(exact);
    const id = await world.create({ concurrency: 1 });
    world.queued.experiments?.splice(0);
    await world.drive(id, 1, 0);
    expect(world.queued.experiments).toHaveLength(1);
    await world.drive(id);
    expect(await world.read(id)).toMatchObject({ status: "Succeeded", progress: { completed: 3 } });
    await world.drive(id);
    expect((await world.results(id)).items).toHaveLength(3);
  });

  test("is requeued when its message was lost, but not while a driver has it", {
    tags: "nightly",
  }, async () => {
    const world = await setUp([upper]);
    await world.scorer(exact);
    const id = await world.create();
    const asked = async () => {
      world.queued.experiments?.splice(0);
      await world.recover();
      return world.queued.experiments?.filter((experiment) =>
        JSON.stringify(experiment).includes(id),
      ).length;
    };
    expect(await asked()).toBe(0);
    world.tenant.advance(5 * 60_000 + 1);
    expect(await asked()).toBe(1);
    expect(await asked()).toBe(0);
    world.hooks.onPause = async () => expect(await asked()).toBe(0);
    await world.drive(id);
    world.tenant.advance(60 * 60_000);
    expect(await asked()).toBe(0);
  });

  test("settles runs that ended in a function that crashed before it scored them", {
    tags: "nightly",
  }, async () => {
    const world = await setUp([upper]);
    await world.scorer(exact);
    const id = await world.create();
    world.workers.score = false;
    await world.drive(id);
    expect(await world.read(id)).toMatchObject({ summary: [{ mean: 1, count: 3 }] });
  });
});

describe("an experiment that is cancelled", () => {
  test("starts no more runs, cancels those in progress, and ends once, with a summary", {
    tags: "nightly",
  }, async () => {
    const world = await setUp([upper]);
    await world.scorer(exact);
    const id = await world.create({ concurrency: 1 });
    world.hooks.onPause = async (pause) => {
      if (pause === 2) {
        world.workers.idle = true;
        expect(await world.cancel(id)).toMatchObject({ status: "Cancelled", endedAt: null });
      }
      if (pause === 4) world.workers.idle = false;
    };
    await world.drive(id);
    const experiment = await world.read(id);
    expect(experiment).toMatchObject({
      status: "Cancelled",
      endedAt: expect.any(Number),
      progress: { completed: 2, failed: 1 },
      summary: [{ count: 1, mean: 1 }],
    });
    expect((await world.results(id)).items.map(({ status }) => status)).toEqual([
      "Succeeded",
      "Cancelled",
    ]);
    await expect(world.cancel(id)).rejects.toMatchObject({ slug: "conflict" });
  });
});

describe("an experiment's end", () => {
  test("succeeds whatever its scorers return: an invalid value counts as none", {
    tags: "nightly",
  }, async () => {
    const world = await setUp([upper]);
    const values = ["1e300", "-1e10", "1e-200", "'\\ud83d'"];
    const scorers = values.map((_, at) => `s${at}`);
    for (const [at, value] of values.entries()) {
      await world.scorer({ id: `s${at}`, displayName: "S", type: "Expression", value });
    }
    const id = await world.create({ scorers });
    await world.drive(id);
    const { status, summary } = await world.read(id);
    expect(status).toBe("Succeeded");
    expect(summary.map(({ mean, failures }) => [mean, failures])).toEqual([
      [null, 3],
      [null, 3],
      [0, 0],
      [null, 3],
    ]);
    const [first] = (await world.results(id)).items;
    expect(first?.scores[0]?.comment).toContain("not between");
  });

  test("succeeds without scores when its runs cannot be scored for long", async () => {
    const modelsFor = () => ({ resolve: () => Promise.reject(new Error("down")) });
    const world = await testExperiments(db, { revisions: [upper], modelsFor });
    const llm = { providerId: "test", parameters: null };
    await world.scorer({ id: "judge", displayName: "J", type: "Judge", llm, rubric: "Nice?" });
    const id = await world.create({ scorers: ["judge"] });
    await world.drive(id, 1, 20_000);
    expect(await world.isEnded(id)).toBe(false);
    world.tenant.advance(46 * 60_000);
    await world.drive(id);
    expect(await world.read(id)).toMatchObject({
      status: "Succeeded",
      progress: { completed: 3, failed: 0 },
      summary: [{ mean: null, count: 0, failures: 3 }],
    });
  });

  test("is no success when its dataset was deleted meanwhile, even if one with its id follows", {
    tags: "nightly",
  }, async () => {
    const world = await setUp([upper]);
    await world.scorer(exact);
    const id = await world.create({ concurrency: 1 });
    world.hooks.onPause = async (pause) => {
      if (pause !== 1) return;
      const { ctx, deps } = world.tenant;
      await deleteDataset(world.deps, { tenantId: world.tenantId, datasetId: "d" });
      await createDataset(deps, { ctx, body: { id: "d", displayName: "D" } });
    };
    await world.drive(id);
    expect(await world.read(id)).toMatchObject({
      status: "Failed",
      error: "The dataset was deleted.",
      progress: { total: 3 },
    });
  });

  test("is an event, once, for the destinations that subscribe to it", {
    tags: "nightly",
  }, async () => {
    const world = await setUp([upper]);
    const { ctx } = world.tenant;
    await putNewTenant(db, {
      ...ctx.tenant,
      slug: ctx.tenant.id,
      displayName: "Test",
      createdAt: 0,
      modifiedAt: 0,
    });
    await createEventDestination(
      { ...world.tenant.deps, outgoing: { allowPrivateAddresses: true } },
      {
        ctx,
        body: {
          url: "http://127.0.0.1:9",
          type: "webhook",
          eventTypes: ["experiment.completed"],
          active: true,
        },
      },
    );
    await world.scorer(exact);
    const id = await world.create();
    await world.drive(id);
    await world.drive(id);
    expect(world.queued.events).toMatchObject([
      {
        event: {
          id: `experiment.completed:${id}`,
          type: "experiment.completed",
          agentId: "a",
          data: {
            experimentId: id,
            status: "Succeeded",
            summary: [{ scorer: "correct", mean: 1 }],
          },
        },
      },
    ]);
  });

  test("has the versions of the skills and the integration configs that it met", async () => {
    const steps = [
      { id: "ask", type: "Prompt", prompt: "{% input.name %}", skills: ["math", "none"] },
      { id: "out", type: "Output", value: "{% input.name %}" },
    ];
    const world = await setUp([asking]);
    const { ctx, deps } = world.tenant;
    const input = { id: "math", displayName: "M", description: "Counts." };
    const skill = await createSkill(deps, { ctx, body: input });
    await createSkill(deps, { ctx, body: { ...input, id: "none" } });
    const content = RevisionContent.parse({ ...asking, flow: { ...asking.flow, steps } });
    await createRevision(deps, { ctx, agentId: "a", content });
    await removeSkill(db, ctx.tenant.id, "none");
    await world.scorer(exact);
    const { versions } = await world.read(await world.create({ revisions: [2] }));
    expect(versions).toEqual([
      {
        revision: 2,
        skills: [
          { id: "math", modifiedAt: skill.modifiedAt },
          { id: "none", modifiedAt: null },
        ],
        integrationConfigs: [],
      },
    ]);
  });
});

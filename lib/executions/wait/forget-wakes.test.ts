import { describe, expect, test } from "vitest";
import { testRuntime } from "../../../test/harness/runtime.ts";
import { emptySpan } from "../../engine/flow/child-spans.ts";
import type { Span, StepOutcome } from "../../engine/flow/flow-result.ts";
import { TenantId } from "../../platform/db/tenant-id.ts";
import type { StoredWait } from "../checkpoints/wait-store.ts";
import type { Job } from "../job/job.ts";
import { forgetWakes, listAnswered } from "./send-wake.ts";

const minute = 60_000;
const runtime = testRuntime();
const now = runtime.clock();
const waiting = (path: string, more: Partial<StoredWait> = {}): StoredWait => ({
  kind: "Approval",
  path,
  since: now - minute,
  until: now + 60 * minute,
  ...more,
});
const byPath = <Value extends { path: string }>(values: Value[]) =>
  new Map(values.map((value) => [value.path, value]));

describe("waits that were answered since the run before", () => {
  const span = (id: string) => ({ ...emptySpan, id }) as Span;
  const outcome = (stepId: string, more: object = {}): [string, StepOutcome] => [
    stepId,
    { stepId, output: null, spans: [span(stepId)], ...more },
  ];
  const progress = {
    waits: byPath(
      ["done", "answered", "open", "call#1.1", "done#1.1", "each#2/0#1.1"].map((path) =>
        waiting(path),
      ),
    ),
    answers: byPath(
      ["done", "answered", "call#1.1", "done#1.1", "each#2/0#1.1"].map((path) => ({
        path,
        at: now,
      })),
    ),
    completed: new Map([
      outcome("done"),
      outcome("~suspended/call", { spans: [span("call")], suspended: {} }),
      outcome("each/0", { spans: [span("each#2/0")] }),
    ]),
  };

  test("are those of steps and tool calls that have not finished", () => {
    expect(listAnswered(progress).map(({ path }) => path)).toEqual(["answered", "call#1.1"]);
  });
});

describe("the schedules of ended waits", () => {
  const key = {
    tenantId: TenantId.parse("0193f0a0-7c4b-7000-8000-000000000000"),
    agentId: "a",
    executionId: "root",
  };
  const item = { id: "own", agentId: "a", tenantId: key.tenantId } as object as Job["item"];
  const forget = async (waits: StoredWait[], send: (message: unknown) => Promise<void>) =>
    forgetWakes(
      { runtime, send: (_queue, _group, message) => send(message) },
      { job: { tenantId: key.tenantId, item }, root: key, waits },
    );

  test("are deleted where they exist and have not fired", async () => {
    const sent: unknown[] = [];
    const long = waiting("long");
    const over = waiting("over", { since: now - 60 * minute, until: now });
    const short = waiting("short", { since: now, until: now + 15 * minute });
    await forget([long, over, short], async (message) => void sent.push(message));
    const { path, kind, until: at } = long;
    expect(sent).toEqual([
      { type: "wake-execution", ...key, waitingId: "own", path, kind, at, isOver: true },
    ]);
  });

  test("are left where the queue does not accept a message, which fails nothing", async () => {
    const sent: unknown[] = [];
    await forget([waiting("one"), waiting("two")], async (message) => {
      sent.push(message);
      throw new Error("no queue");
    });
    expect(sent).toHaveLength(2);
  });
});

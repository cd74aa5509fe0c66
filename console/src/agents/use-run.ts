import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { unwrapBody } from "../../../client/client.ts";
import { type ExecutionEvent, streamExecution } from "../../../client/execution-events.ts";
import type { Citation, ExecutionStatus } from "../../../client/openapi.ts";
import { toProblemError } from "../../../client/problem-error.ts";
import { isOpen } from "../executions/use-executions.ts";
import type { StepState, StepStates } from "../flow-graph/step-state.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";

/** An execution in progress or ended. */
export type Run = {
  status: ExecutionStatus | "Starting";
  executionId?: string;
  /** Until when it waits, Unix milliseconds, while all of these approvals are pending. A later wait has another end. */
  until?: { time: number; approvals: readonly string[] };
  states: ReadonlyMap<string, StepState>;
  output?: unknown;
  citations?: readonly Citation[];
  error?: unknown;
};

const recordPath =
  "/v1/tenants/{tenant}/agents/{agent}/execution-records/{executionRecord}" as const;
const pollMilliseconds = 1_000;
const waitingMilliseconds = 2_000;

/** Runs an agent, with its events as they come. After the stream has ended early, the record is read until its end. */
export const useRun = (agent: string) => {
  const client = useClient();
  const tenant = useTenant();
  const cache = useQueryClient();
  const [run, setRun] = useState<Run>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const follow = async (executionId: string, signal: AbortSignal): Promise<void> => {
    const params = { path: { tenant, agent, executionRecord: executionId } };
    for (;;) {
      const record = await unwrapBody(client.GET(recordPath, { params, signal }));
      const { status, output, citations, error } = record;
      setRun((current) => ({
        ...{ states: new Map(), ...withoutEnd(current, status), executionId, status },
        ...{ output, citations, error },
      }));
      if (!isOpen(status)) return;
      const pause = status === "Waiting" ? waitingMilliseconds : pollMilliseconds;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  };

  const start = async (input: Record<string, unknown>, revision?: number): Promise<void> => {
    abort.current?.abort();
    const controller = new AbortController();
    abort.current = controller;
    const { signal } = controller;
    let current: Run = { status: "Starting", states: new Map() };
    setRun(current);
    const execution = {
      ...{ tenant, agent, signal, body: { input } },
      ...(revision !== undefined && { testRevision: revision }),
    };
    try {
      for await (const event of streamExecution(client, execution)) {
        current = applyEvent(current, event);
        setRun(current);
      }
      const { executionId, status } = current;
      // The number of approvals in the navigation.
      if (status === "Waiting") void cache.invalidateQueries({ queryKey: [tenant, "approvals"] });
      const isOpenRun = status !== "Starting" && isOpen(status);
      if (executionId !== undefined && isOpenRun) await follow(executionId, signal);
    } catch (error) {
      if (!signal.aborted) setRun({ ...current, status: "Failed", error });
    }
    await cache.invalidateQueries({ queryKey: [tenant, "executions", agent] });
  };
  return { run, start };
};

/** Forgets until when a run waited once it is seen to continue. */
const withoutEnd = (run: Run | undefined, status: ExecutionStatus): Partial<Run> => {
  const { until, ...others } = run ?? {};
  return status === "Waiting" && until !== undefined ? { ...others, until } : others;
};

const applyEvent = (run: Run, event: ExecutionEvent): Run => {
  switch (event.type) {
    case "execution.started":
      return { ...run, status: "Running", executionId: event.execution.executionId };
    case "execution.waiting":
      return {
        ...run,
        status: "Waiting",
        until: { time: event.until, approvals: event.approvals },
      };
    case "execution.completed": {
      const { status, output, citations } = event.execution;
      return { ...run, status, output, citations };
    }
    case "execution.failed":
      return { ...run, status: "Failed", error: toProblemError(event.problem) };
    case "step.started":
      return withStep(run, event.stepId, { status: "Running" });
    case "output.delta": {
      const before = run.states.get(event.stepId)?.text ?? "";
      return withStep(run, event.stepId, { status: "Running", text: before + event.text });
    }
    case "step.completed":
      return withStep(run, event.stepId, { status: "Succeeded", output: event.output });
    case "step.failed": {
      const { willRetry, error } = event;
      return withStep(run, event.stepId, {
        status: willRetry ? "Running" : "Failed",
        error: error.detail,
      });
    }
  }
};

const withStep = (run: Run, stepId: string, state: StepState): Run => {
  const states = new Map(run.states);
  states.set(stepId, { ...states.get(stepId), ...state });
  return { ...run, states };
};

/** Returns whether a run is in progress. */
export const isRunning = ({ status }: Run): boolean => status === "Starting" || isOpen(status);

/** Adds to the state of a loop how many of its iterations have ended. Events name them `STEP/INDEX`. */
export const withItems = (states: StepStates | undefined): StepStates => {
  const counts = new Map<string, { count: number; failed: number }>();
  for (const [stepId, { status }] of states ?? []) {
    const [parent = "", index, ...deeper] = stepId.split("/");
    if (index === undefined || deeper.length > 0 || status === "Running") continue;
    const { count, failed } = counts.get(parent) ?? { count: 0, failed: 0 };
    counts.set(parent, { count: count + 1, failed: failed + (status === "Failed" ? 1 : 0) });
  }
  return new Map(
    [...(states ?? [])].map(([stepId, state]) => {
      const items = counts.get(stepId);
      return [stepId, items ? { ...state, items } : state];
    }),
  );
};

/** Returns the output of a step, or what there is of it so far; of a loop, that of its iterations. */
export const readLiveOutput = (states: StepStates, stepId: string): unknown => {
  const state = states.get(stepId);
  const ended = state?.output ?? state?.error ?? state?.text;
  if (ended !== undefined) return ended;
  const isItem = (id: string): boolean => id.startsWith(`${stepId}/`);
  const items = [...states].filter(([id]) => isItem(id));
  return items.length === 0 ? undefined : items.map(([, item]) => item.output ?? item.text);
};

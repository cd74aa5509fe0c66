import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { unwrapBody } from "../../../../client/client.ts";
import {
  type ExecutionEvent,
  type StreamedExecution,
  streamExecution,
} from "../../../../client/execution-events.ts";
import type { Citation, ExecutionResult, ExecutionStatus } from "../../../../client/openapi.ts";
import { ProblemError, toProblemError } from "../../../../client/problem-error.ts";
import { isOpen } from "../../executions/use-executions.ts";
import type { StepState, StepStates } from "../../flow-graph/step-state.ts";
import { useClient } from "../../session/session-context.ts";
import { useTenant } from "../../session/tenant.ts";
import { notifyProblem } from "../../shared/notify.ts";
import { shownProblem } from "../../shared/problem.ts";

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
  /** The session that it is part of. */
  session?: string;
};

/** An execution to start. */
type RunRequest = {
  input: Record<string, unknown>;
  /** The revision to test; the deployed one runs by default. */
  revision?: number | undefined;
  /** A draft to test instead, or one step of it. */
  draft?: StreamedExecution["draft"];
  /** The session to continue; null begins one. */
  session?: string | null;
  /** Called when the execution exists. */
  onStarted?: () => void;
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

  const follow = async (executionId: string, signal: AbortSignal): Promise<ExecutionStatus> => {
    const params = { path: { tenant, agent, executionRecord: executionId } };
    for (;;) {
      const record = await unwrapBody(client.GET(recordPath, { params, signal }));
      const { status, output, citations, error } = record;
      setRun((current) => ({
        ...{ states: new Map(), ...withoutEnd(current, status), executionId, status },
        ...{ output, citations },
        ...(error && { error: new ProblemError(error.status, error) }),
      }));
      if (!isOpen(status)) return status;
      const pause = status === "Waiting" ? waitingMilliseconds : pollMilliseconds;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  };

  const reset = (): void => {
    abort.current?.abort();
    setRun(undefined);
  };

  /** Runs the agent, and returns how the run ended; undefined where another one replaced it. */
  const start = async (request: RunRequest): Promise<ExecutionStatus | undefined> => {
    const { input, revision, draft, session, onStarted } = request;
    abort.current?.abort();
    const controller = new AbortController();
    abort.current = controller;
    const { signal } = controller;
    let current: Run = { status: "Starting", states: new Map() };
    setRun(current);
    const execution = {
      ...{ tenant, agent, signal },
      body: { input, ...(session !== undefined && { session: session ? { id: session } : {} }) },
      ...(revision !== undefined && { testRevision: revision }),
      ...(draft && { draft }),
    };
    try {
      for await (const event of streamExecution(client, execution)) {
        if (signal.aborted) return undefined;
        const isFirst = current.executionId === undefined;
        current = applyEvent(current, event);
        setRun(current);
        if (isFirst && current.executionId !== undefined) onStarted?.();
      }
      const { executionId, status } = current;
      // The number of approvals in the navigation.
      if (status === "Waiting") void cache.invalidateQueries({ queryKey: [tenant, "approvals"] });
      if (status === "Starting") throw new Error("The connection ended before the agent ran.");
      const isOpenRun = executionId !== undefined && isOpen(status);
      return isOpenRun ? await follow(executionId, signal) : status;
    } catch (error) {
      if (signal.aborted) return undefined;
      setRun((latest) => ({ ...(latest ?? current), status: "Failed", error }));
      return "Failed";
    } finally {
      await Promise.all(
        ["executions", "sessions"].map((name) =>
          cache.invalidateQueries({ queryKey: [tenant, name, agent] }),
        ),
      );
    }
  };

  /** Cancels the execution; the run then ends as it does. */
  const stop = async (): Promise<void> => {
    const executionId = run?.executionId;
    if (executionId === undefined) {
      reset();
      return;
    }
    const params = { path: { tenant, agent, executionRecord: executionId } };
    try {
      await client.POST(`${recordPath}:cancel`, { params });
    } catch (error) {
      // It may have ended meanwhile.
      if (error instanceof ProblemError && error.status === 409) return;
      const { title, detail } = shownProblem(error);
      notifyProblem({ message: `${title}. ${detail}` });
    }
  };
  return { run, start, stop, reset };
};

/** Forgets until when a run waited once it is seen to continue. */
const withoutEnd = (run: Run | undefined, status: ExecutionStatus): Partial<Run> => {
  const { until, ...others } = run ?? {};
  return status === "Waiting" && until !== undefined ? { ...others, until } : others;
};

const applyEvent = (run: Run, event: ExecutionEvent): Run => {
  switch (event.type) {
    case "execution.started":
      return { ...run, status: "Running", ...identify(event.execution) };
    case "execution.waiting":
      return {
        ...{ ...run, ...identify(event.execution) },
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
    case "output.reset":
      return withStep(run, event.stepId, { status: "Running", text: "" });
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

const identify = ({ executionId, session }: ExecutionResult): Partial<Run> => ({
  executionId,
  ...(session && { session: session.id }),
});

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

/** Returns the text that a run has written so far: that of the step that wrote last. */
export const readLiveText = (states: StepStates): string | undefined =>
  [...states.values()].findLast(({ text }) => text !== undefined)?.text;

/** Returns the output of a step, or what there is of it so far; of a loop, that of its iterations. */
export const readLiveOutput = (states: StepStates, stepId: string): unknown => {
  const state = states.get(stepId);
  const ended = state?.output ?? state?.error ?? state?.text;
  if (ended !== undefined) return ended;
  const isItem = (id: string): boolean => id.startsWith(`${stepId}/`);
  const items = [...states].filter(([id]) => isItem(id));
  return items.length === 0 ? undefined : items.map(([, item]) => item.output ?? item.text);
};

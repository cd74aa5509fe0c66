import { useCallback, useEffect, useMemo, useState } from "react";
import { buildSpanTree, sumUsage, toStepStates } from "../../../executions/spans.ts";
import { useTrace } from "../../../executions/use-executions.ts";
import { type Draft, readFlow } from "../../../flow-graph/edit-flow.ts";
import { isRecord, itemsIn, textIn } from "../../../flow-graph/members.ts";
import type { StepStates } from "../../../flow-graph/step-state.ts";
import { useMay } from "../../../session/permissions.ts";
import { type FormField, type FormTexts, parseValues } from "../../../shared/form-from-schema.tsx";
import { isRunning, useRun, withItems } from "../../try-it/use-run.ts";
import { choosePinned, listOutputs, mergeResults, type Pins } from "./step-results.ts";

const noStates: StepStates = new Map();

/** The last start: of one step, or of all. */
type Started = { only: string | undefined; pinned: Record<string, unknown>; at: number };

/** Runs the draft, or one step of it, and keeps what every step did last. */
export const useDraftRun = (agent: string, draft: Draft) => {
  const { run, start, stop } = useRun(agent);
  const mayReadTraces = useMay()("traces:read");
  const [texts, setTexts] = useState<FormTexts>({});
  const [pins, setPins] = useState<Pins>(new Map());
  const [earlier, setEarlier] = useState<StepStates>(noStates);
  const [started, setStarted] = useState<Started>();
  const [endedAt, setEndedAt] = useState<number>();
  const isBusy = run !== undefined && isRunning(run);
  const hasEnded = run?.executionId !== undefined && !isBusy;
  const trace = useTrace(agent, run?.executionId ?? "", hasEnded && mayReadTraces);
  const tree = useMemo(() => buildSpanTree(trace.data?.spans ?? []), [trace.data]);
  const results = useMemo(() => {
    if (!started) return earlier;
    const ofSpans = toStepStates(tree);
    const pinned = new Set(Object.keys(started.pinned));
    const ran = ofSpans.size > 0 ? ofSpans : withItems(run?.states);
    return mergeResults(earlier, ran, { isWhole: started.only === undefined, pinned });
  }, [earlier, started, run?.states, tree]);
  useEffect(() => {
    if (!isBusy) setEndedAt(Date.now());
  }, [isBusy]);

  const stepIds = useMemo(
    () =>
      readFlow(draft)
        .steps.filter(isRecord)
        .map(({ id }) => textIn(id)),
    [draft],
  );
  const fields = useMemo(() => readFields(draft), [draft]);
  const begin = (only?: string): void => {
    const pinned = choosePinned(only, stepIds, { results, pins });
    setEarlier(results);
    setStarted({ only, pinned, at: Date.now() });
    void start({
      input: parseValues(fields, texts),
      draft: { revision: draft, pinned, ...(only !== undefined && { only }) },
    });
  };
  const pin = useCallback(
    (stepId: string, output: unknown): void =>
      setPins((before) => {
        const next = new Map(before);
        if (output === undefined) next.delete(stepId);
        else next.set(stepId, output);
        return next;
      }),
    [],
  );
  const used = useMemo(() => {
    const all = tree.roots.map((span) => sumUsage(tree, span));
    return {
      tokens: all.reduce((sum, { tokens }) => sum + tokens, 0),
      cost: all.reduce((sum, { cost }) => sum + cost, 0),
      priced: all.every(({ priced }) => priced),
    };
  }, [tree]);
  return {
    ...{ run, isBusy, stop, begin, fields, texts, setTexts, pins, pin, results },
    only: started?.only,
    used: tree.roots.length > 0 ? used : undefined,
    durationMs:
      started && endedAt !== undefined && !isBusy && endedAt > started.at
        ? endedAt - started.at
        : undefined,
    outputs: useMemo(() => listOutputs(stepIds, results, pins), [stepIds, results, pins]),
  };
};

/** A draft that is being run. */
export type DraftRun = ReturnType<typeof useDraftRun>;

const readFields = (draft: Draft): FormField[] =>
  itemsIn(draft.parametersMetadata).flatMap((item) =>
    isRecord(item) && textIn(item.name) !== "" ? [{ ...item, name: textIn(item.name) }] : [],
  );

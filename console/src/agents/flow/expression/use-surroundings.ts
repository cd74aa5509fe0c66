import { useMemo } from "react";
import type { Draft } from "../../../flow-graph/edit-flow.ts";
import { isRecord } from "../../../flow-graph/members.ts";
import { readSeenFiles } from "../../../shared/files/input-files.ts";
import { parseValues } from "../../../shared/form-from-schema.tsx";
import type { DraftRun } from "../run/use-draft-run.ts";
import { useRecentValues } from "../run/use-recent-values.ts";
import type { ExpressionSurroundings } from "./expression-context.ts";
import { findEarlierSteps } from "./find-earlier-steps.ts";

type SurroundingsOptions = {
  agent: string;
  draft: Draft;
  /** The step with the expressions. */
  stepId: string | undefined;
  draftRun: DraftRun;
  isReadOnly: boolean;
};

/** Collects what the expressions of a step can read, with values of a run of the draft or of the latest execution. */
export const useSurroundings = (options: SurroundingsOptions): ExpressionSurroundings => {
  const { agent, draft, stepId, draftRun, isReadOnly } = options;
  const { fields, texts, outputs } = draftRun;
  const hasRun = Object.keys(outputs).length > 0;
  const recent = useRecentValues(agent, stepId !== undefined && !hasRun);
  const steps = useMemo(
    () => (stepId === undefined ? [] : findEarlierSteps(draft, stepId)),
    [draft, stepId],
  );
  return useMemo(() => {
    const ofRun = {
      ...(isRecord(recent?.input) && recent.input),
      ...parseValues(fields, texts),
      ...readSeenFiles(fields, texts),
    };
    const all = { ...recent?.outputs, ...outputs };
    const ofSteps = Object.entries(all).map(([id, output]) => [id, { output }]);
    return {
      inputs: fields.map(({ name }) => name),
      steps,
      values: { input: ofRun, parameters: ofRun, steps: Object.fromEntries(ofSteps) },
      hasValues: hasRun || recent !== undefined,
      source: hasRun ? "In the last run" : "In the latest execution",
      isReadOnly,
    };
  }, [fields, texts, outputs, steps, recent, hasRun, isReadOnly]);
};

import { useMemo } from "react";
import type { Revision } from "../../../../client/openapi.ts";
import { ExecutionGraph } from "../../executions/execution-graph.tsx";
import { buildSpanTree } from "../../executions/spans.ts";
import { useTrace } from "../../executions/use-executions.ts";
import { useSelectedSpan } from "../../executions/use-selected-span.ts";
import { toFlowModel } from "../../flow-graph/flow-model.ts";
import { useMay } from "../../session/permissions.ts";
import { JsonView } from "../../shared/json-view.tsx";
import { isRunning, type Run, readLiveOutput, withItems } from "./use-run.ts";

type RunGraphProps = { agent: string; revision: Revision; run: Run | undefined };

/** Shows the steps of a run as they run, and their trace afterwards. */
export const RunGraph = ({ agent, revision, run }: RunGraphProps) => {
  const mayReadTraces = useMay()("traces:read");
  const flow = useMemo(() => toFlowModel(revision.flow), [revision]);
  const hasEnded = run?.executionId !== undefined && !isRunning(run);
  const trace = useTrace(agent, run?.executionId ?? "", hasEnded && mayReadTraces);
  const tree = useMemo(() => buildSpanTree(trace.data?.spans ?? []), [trace.data]);
  const states = useMemo(() => withItems(run?.states), [run?.states]);
  const selection = useSelectedSpan(tree);
  const { step } = selection;
  return (
    <ExecutionGraph flow={flow} tree={tree} states={states} selection={selection}>
      {step !== undefined && run?.states.has(step) && (
        <JsonView label={`Output of ${step}`} value={readLiveOutput(run.states, step)} />
      )}
    </ExecutionGraph>
  );
};

import { Paper, SimpleGrid } from "@mantine/core";
import { lazy, type ReactNode, Suspense, useCallback, useMemo } from "react";
import type { FlowModel } from "../flow-graph/flow-model.ts";
import type { StepStates } from "../flow-graph/step-state.ts";
import { PageLoader } from "../shared/page-loader.tsx";
import classes from "./execution-graph.module.css";
import { SpanDetails } from "./span-details.tsx";
import { type SpanTree, toFlowStepId, toStepStates } from "./spans.ts";
import type { SelectedSpan } from "./use-selected-span.ts";

const FlowGraph = lazy(() =>
  import("../flow-graph/flow-graph.tsx").then(({ FlowGraph: component }) => ({
    default: component,
  })),
);

type ExecutionGraphProps = {
  flow: FlowModel;
  tree: SpanTree;
  /** States while the execution runs and has no spans yet. */
  states?: StepStates | undefined;
  selection: SelectedSpan;
  /** Shown for a selected step that has no span yet. */
  children?: ReactNode;
  /** Whether the details are next to the graph where there is room. */
  isWide?: boolean;
};

/** Shows the graph of an execution with the state of each step, and details of the selected one. */
export const ExecutionGraph = (props: ExecutionGraphProps) => {
  const { flow, tree, states, selection, isWide = false } = props;
  const { span, step, select } = selection;
  const ofSpans = useMemo(() => toStepStates(tree), [tree]);
  const selectStep = useCallback(
    (stepId: string | undefined) => select(undefined, stepId),
    [select],
  );
  const hasDetails = span !== undefined || props.children !== undefined;
  return (
    <SimpleGrid cols={isWide && hasDetails ? { base: 1, lg: 2 } : 1}>
      <Paper withBorder className={isWide ? (classes.graph ?? "") : ""}>
        <Suspense fallback={<PageLoader />}>
          <FlowGraph
            flow={flow}
            states={ofSpans.size > 0 ? ofSpans : states}
            selected={span ? toFlowStepId(span) : step}
            onSelect={selectStep}
          />
        </Suspense>
      </Paper>
      {span ? <SpanDetails tree={tree} span={span} onSelect={select} /> : props.children}
    </SimpleGrid>
  );
};

import { Button, Paper, Text } from "@mantine/core";
import { lazy, Suspense, useDeferredValue, useMemo } from "react";
import { toFlowModel } from "../../flow-graph/flow-model.ts";
import { refusalsIn } from "../../flow-graph/refusals.ts";
import { PageLoader } from "../../shared/page-loader.tsx";
import classes from "./flow-editor.module.css";
import { RunPanel } from "./run/run-panel.tsx";
import type { useEditedRevision } from "./use-edited-revision.ts";
import { useFlowEditing } from "./use-flow-editing.ts";
import type { useStepActions } from "./use-step-actions.ts";

const FlowGraph = lazy(() =>
  import("../../flow-graph/flow-graph.tsx").then(({ FlowGraph: component }) => ({
    default: component,
  })),
);
const JsonEditor = lazy(() =>
  import("../../shared/json-editor.tsx").then(({ JsonEditor: component }) => ({
    default: component,
  })),
);

/** A panel below the graph. */
export type Bottom = "json" | "run";

type EditorCanvasProps = {
  agent: string;
  edited: ReturnType<typeof useEditedRevision>;
  actions: ReturnType<typeof useStepActions>;
  /** Place of the selected step in the list of steps; -1 without one. */
  index: number;
  selected: string | undefined;
  onSelect: (stepId: string | undefined) => void;
  bottom: Bottom | undefined;
};

/** The graph, with the panel that is open below it. */
export const EditorCanvas = (props: EditorCanvasProps) => {
  const { agent, edited, actions, index, selected, onSelect, bottom } = props;
  const { state, draftRun, refusals, isEditable, mayWrite } = edited;
  const { draft } = state;
  const marks = useMemo(
    () => new Map([...draftRun.pins.keys()].map((id) => [id, "pinned" as const])),
    [draftRun.pins],
  );
  // Typed text is shown immediately, the graph when there is time.
  const drawn = useDeferredValue(draft);
  const flow = useMemo(() => toFlowModel(drawn.flow), [drawn]);
  const problems = useMemo(() => refusalsIn(draft, refusals), [draft, refusals]);
  const editing = useFlowEditing(state.change, actions.setPlace);
  return (
    <div className={classes.canvas}>
      <Paper withBorder className={classes.graph ?? ""}>
        {flow.steps.length === 0 && isEditable && (
          <div className={classes.empty}>
            <Text c="dimmed">This agent has no steps yet.</Text>
            <Button onClick={() => actions.setPlace({ type: "anywhere" })}>
              Add the first step
            </Button>
          </div>
        )}
        <Suspense fallback={<PageLoader />}>
          <FlowGraph
            flow={flow}
            states={draftRun.results}
            marks={marks}
            refusals={refusals}
            selected={selected}
            onSelect={onSelect}
            onSelectEdge={actions.noteEdge}
            editing={isEditable ? editing : undefined}
            height="100%"
          />
        </Suspense>
      </Paper>
      {bottom === "run" && (
        <RunPanel agent={agent} draftRun={draftRun} className={classes.bottom} />
      )}
      {bottom === "json" && (
        <div className={classes.json}>
          <Suspense fallback={<PageLoader />}>
            <JsonEditor
              label="Revision as JSON"
              value={state.text}
              onChange={mayWrite ? state.setText : undefined}
              problems={problems}
              marked={index < 0 ? undefined : `/flow/steps/${index}`}
              height="100%"
            />
          </Suspense>
        </div>
      )}
    </div>
  );
};

import { Button, Group, Menu, Paper, Stack, Text } from "@mantine/core";
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useState } from "react";
import type { Agent } from "../../../../client/openapi.ts";
import { useMayAt } from "../../agent-queries/use-may-at.ts";
import { useCreateRevision } from "../../agent-queries/use-revisions.ts";
import {
  addStep,
  connectSteps,
  disconnectSteps,
  findStepIndex,
  removeStep,
  stepTypes,
} from "../../flow-graph/edit-flow.ts";
import type { FlowEditing } from "../../flow-graph/flow-graph.tsx";
import { toFlowModel } from "../../flow-graph/flow-model.ts";
import { refusalsIn, toRefusals } from "../../flow-graph/refusals.ts";
import { PageLoader } from "../../shared/page-loader.tsx";
import { ProblemAlert } from "../../shared/problem-alert.tsx";
import classes from "./flow-editor.module.css";
import { FlowPanel } from "./form/flow-panel.tsx";
import { SaveAndDeploy } from "./save-and-deploy.tsx";
import { type DraftState, useDraft } from "./use-draft.ts";

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

type FlowEditorProps = {
  agent: Agent;
  /** Number of the shown revision; null before the first one. */
  revision: number | null;
  /** JSON of the revision. */
  initial: string;
  /** Called before the revision that was saved is shown. */
  onSaved: (revision: number) => void;
};

/** Edits a flow by its graph, by the fields of a step and by its JSON, and saves it as a new revision. */
export const FlowEditor = ({ agent, revision, initial, onSaved }: FlowEditorProps) => {
  const mayWrite = useMayAt(agent.id)("revisions:write");
  const state = useDraft(initial);
  const { text, draft, isValid, setText, change } = state;
  const [selected, setSelected] = useState<string>();
  const save = useCreateRevision(agent.id);
  // Typed text is shown immediately, the graph when there is time.
  const drawn = useDeferredValue(draft);
  const flow = useMemo(() => toFlowModel(drawn.flow), [drawn]);
  const refusals = useMemo(
    () => toRefusals(save.error, save.variables),
    [save.error, save.variables],
  );
  const problems = useMemo(() => refusalsIn(draft, refusals), [draft, refusals]);
  const editing = useEditing(state);
  const place = selected === undefined ? -1 : findStepIndex(draft, selected);
  useEffect(() => {
    const [first] = refusals.steps.keys();
    if (first !== undefined) setSelected((before) => keptSelection(before, refusals.steps, first));
  }, [refusals]);
  const add = (type: string): void => {
    const added = addStep(draft, type, place < 0 ? undefined : selected);
    change(() => added.draft);
    setSelected(added.id);
  };
  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="xs">
          <Text c="dimmed" mr="xs">
            {revision === null ? "No revision yet" : `Revision ${revision}`}
          </Text>
          {mayWrite && <AddStep onAdd={add} isDisabled={!isValid} />}
          {mayWrite && selected !== undefined && place >= 0 && isValid && (
            <Button
              variant="default"
              onClick={() => {
                change((before) => removeStep(before, selected));
                setSelected(undefined);
              }}
            >
              Remove step
            </Button>
          )}
        </Group>
        <SaveAndDeploy
          agent={agent}
          revision={revision}
          draft={isValid ? draft : undefined}
          save={save}
          hasChanges={text !== initial}
          onSend={state.noteSent}
          onSaved={onSaved}
        />
      </Group>
      <ProblemAlert error={save.error} />
      {!isValid && (
        <Text role="alert">
          The text is not valid JSON: the graph and the fields show the last valid one.
        </Text>
      )}
      <div className={classes.editor}>
        <Paper withBorder className={classes.graph ?? ""}>
          <Suspense fallback={<PageLoader />}>
            <FlowGraph
              flow={flow}
              refusals={refusals}
              selected={selected}
              onSelect={setSelected}
              editing={mayWrite && isValid ? editing : undefined}
              height="100%"
            />
          </Suspense>
        </Paper>
        <FlowPanel
          className={classes.panel}
          agentId={agent.id}
          draft={draft}
          selected={selected}
          onSelect={setSelected}
          onChange={(next) => change(() => next)}
          refusals={refusals}
          isReadOnly={!mayWrite || !isValid}
        />
        <div className={classes.json}>
          <Suspense fallback={<PageLoader />}>
            <JsonEditor
              label="Revision as JSON"
              value={text}
              onChange={mayWrite ? setText : undefined}
              problems={problems}
              marked={place < 0 ? undefined : `/flow/steps/${place}`}
              height="100%"
            />
          </Suspense>
        </div>
      </div>
    </Stack>
  );
};

/** Keeps the selection while it is a refused step; otherwise the first refused one is selected. */
const keptSelection = (
  selected: string | undefined,
  refused: ReadonlyMap<string, unknown>,
  first: string,
): string => (selected !== undefined && refused.has(selected) ? selected : first);

/** Returns the changes that the graph makes. */
const useEditing = ({ change }: DraftState): FlowEditing =>
  useMemo(
    () => ({
      connect: (source, target) => change((draft) => connectSteps(draft, { source, target })),
      disconnect: (source, target, on) =>
        change((draft) => disconnectSteps(draft, { source, target, on })),
      remove: (stepId) => change((draft) => removeStep(draft, stepId)),
    }),
    [change],
  );

const AddStep = ({ onAdd, isDisabled }: { onAdd: (type: string) => void; isDisabled: boolean }) => (
  <Menu>
    <Menu.Target>
      <Button variant="default" disabled={isDisabled}>
        Add step
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {stepTypes.map((type) => (
        <Menu.Item key={type} onClick={() => onAdd(type)}>
          {type}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

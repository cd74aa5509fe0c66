import { Group, Stack, Text } from "@mantine/core";
import { useCallback, useEffect, useRef, useState } from "react";
import { findStepIndex } from "../../flow-graph/edit-flow.ts";
import { ProblemAlert } from "../../shared/problem-alert.tsx";
import { DraftOffer } from "./draft-offer.tsx";
import { type Bottom, EditorCanvas } from "./editor-canvas.tsx";
import { EditorToolbar } from "./editor-toolbar.tsx";
import { ExpressionContext } from "./expression/expression-context.ts";
import { useSurroundings } from "./expression/use-surroundings.ts";
import classes from "./flow-editor.module.css";
import { FlowPanel } from "./form/flow-panel.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { listSteps } from "./list-steps.ts";
import { describePlace } from "./place-step.ts";
import { StepRun } from "./run/step-run.tsx";
import { SaveAndDeploy } from "./save-and-deploy.tsx";
import { StepPalette } from "./step-palette.tsx";
import { type EditedRevision, useEditedRevision } from "./use-edited-revision.ts";
import { useStepActions } from "./use-step-actions.ts";

/** Edits a flow by its graph, by the fields of a step and by its JSON, and saves it as a new revision. */
export const FlowEditor = (props: EditedRevision) => {
  const { agent, revision } = props;
  const edited = useEditedRevision(props);
  const { mayWrite, mayTest, state, drafts, saving, draftRun, isEditable, refusals } = edited;
  const { draft, change } = state;
  const [selected, setSelected] = useState<string>();
  const [areSettingsOpen, setSettingsOpen] = useState(revision === null);
  const [bottom, setBottom] = useState<Bottom>();
  const box = useRef<HTMLDivElement>(null);
  const index = selected === undefined ? -1 : findStepIndex(draft, selected);
  const step = index < 0 ? undefined : selected;
  const actions = useStepActions({
    ...{ box, state, isEditable, selected: step },
    onSelect: setSelected,
    onSave: () => saving.send(),
  });
  const { refused } = edited;
  useEffect(() => {
    const [first] = refused.steps.keys();
    if (first !== undefined) setSelected((before) => keptSelection(before, refused.steps, first));
  }, [refused]);
  const surroundings = useSurroundings({
    ...{ agent: agent.id, draft, draftRun, stepId: step },
    isReadOnly: !isEditable,
  });
  const show = useCallback((stepId: string | undefined): void => {
    setSelected(stepId);
    if (stepId === undefined) setSettingsOpen(false);
  }, []);
  const togglePanel = (label: string, name: Bottom) => ({
    label,
    isOpen: bottom === name,
    onToggle: () => setBottom(bottom === name ? undefined : name),
  });
  return (
    <Stack ref={box} gap="sm">
      <LeaveGuard
        hasChanges={state.hasChanges && !(saving.isPending && state.isSent)}
        isOwn={({ revision: shown }) => saving.isSaved(shown)}
        onSave={saving.maySend ? () => saving.send() : undefined}
      />
      <DraftOffer agent={agent.id} drafts={drafts} />
      <Group justify="space-between">
        <EditorToolbar
          revision={revision}
          state={state}
          mayWrite={mayWrite}
          steps={listSteps(draft)}
          selected={selected}
          onSelect={show}
          onAdd={actions.ask}
          panels={[
            {
              label: "Settings",
              isOpen: index < 0 && areSettingsOpen,
              onToggle: () => {
                setSelected(undefined);
                setSettingsOpen(index >= 0 || !areSettingsOpen);
              },
            },
            togglePanel("JSON", "json"),
            ...(mayTest ? [togglePanel("Run", "run")] : []),
          ]}
        />
        <SaveAndDeploy
          agent={agent}
          revision={revision}
          saving={saving}
          hasChanges={state.hasChanges}
        />
      </Group>
      <ProblemAlert error={saving.error} />
      {!state.isValid && (
        <Text role="alert">
          The text is not valid JSON: the graph and the fields show the last valid one.
        </Text>
      )}
      <div className={classes.editor}>
        <EditorCanvas
          agent={agent.id}
          edited={edited}
          actions={actions}
          index={index}
          selected={selected}
          onSelect={show}
          bottom={bottom}
        />
        {(index >= 0 || areSettingsOpen) && (
          <ExpressionContext value={surroundings}>
            <FlowPanel
              className={classes.panel}
              agentId={agent.id}
              draft={draft}
              selected={selected}
              onSelect={setSelected}
              onClose={() => show(undefined)}
              onDuplicate={actions.duplicate}
              onRemove={actions.remove}
              onChange={(next) => change(() => next)}
              refusals={refusals}
              isReadOnly={!isEditable}
            >
              {mayTest && selected !== undefined && (
                <StepRun stepId={selected} draftRun={draftRun} />
              )}
            </FlowPanel>
          </ExpressionContext>
        )}
      </div>
      {actions.place && (
        <StepPalette
          place={describePlace(actions.place)}
          onChoose={actions.add}
          onClose={() => actions.setPlace(undefined)}
        />
      )}
    </Stack>
  );
};

/** Keeps the selection while it is a refused step; otherwise the first refused one is selected. */
const keptSelection = (
  selected: string | undefined,
  refused: ReadonlyMap<string, unknown>,
  first: string,
): string => (selected !== undefined && refused.has(selected) ? selected : first);

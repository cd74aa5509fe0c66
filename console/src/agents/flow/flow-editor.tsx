import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import {
  lazy,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Agent } from "../../../../client/openapi.ts";
import { useMayAt } from "../../agent-queries/use-may-at.ts";
import { duplicateStep, pasteStep } from "../../flow-graph/copy-steps.ts";
import { findStepIndex, removeStep } from "../../flow-graph/edit-flow.ts";
import type { InsertPlace } from "../../flow-graph/editing.ts";
import { toFlowModel } from "../../flow-graph/flow-model.ts";
import { refusalsIn, toRefusals } from "../../flow-graph/refusals.ts";
import { useProviders } from "../../models/use-providers.ts";
import { PageLoader } from "../../shared/page-loader.tsx";
import { ProblemAlert } from "../../shared/problem-alert.tsx";
import { DraftOffer } from "./draft-offer.tsx";
import { EditorToolbar } from "./editor-toolbar.tsx";
import { ExpressionContext } from "./expression/expression-context.ts";
import { useSurroundings } from "./expression/use-surroundings.ts";
import classes from "./flow-editor.module.css";
import { focusMembers } from "./focus-members.ts";
import { FlowPanel } from "./form/flow-panel.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { listSteps } from "./list-steps.ts";
import { describePlace, placeStep, withModel } from "./place-step.ts";
import { RunPanel } from "./run/run-panel.tsx";
import { StepRun } from "./run/step-run.tsx";
import { useDraftRun } from "./run/use-draft-run.ts";
import { SaveAndDeploy } from "./save-and-deploy.tsx";
import { StepPalette } from "./step-palette.tsx";
import { useClipboard } from "./use-clipboard.ts";
import { useDocument } from "./use-document.ts";
import { useDraftCheck } from "./use-draft-check.ts";
import { useDrafts } from "./use-drafts.ts";
import { useEditorKeys } from "./use-editor-keys.ts";
import { useFlowEditing } from "./use-flow-editing.ts";
import { useSaveRevision } from "./use-save-revision.ts";

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
  const state = useDocument(initial);
  const { text, draft, isValid, setText, change } = state;
  const [selected, setSelected] = useState<string>();
  const [areSettingsOpen, setSettingsOpen] = useState(revision === null);
  const [bottom, setBottom] = useState<"json" | "run">();
  const [place, setPlace] = useState<InsertPlace>();
  const edgePlace = useRef<InsertPlace>(undefined);
  const box = useRef<HTMLDivElement>(null);
  const { items: providers } = useProviders();
  const drafts = useDrafts({ agent: agent.id, revision, initial, state, isEditable: mayWrite });
  const saving = useSaveRevision({
    agent: agent.id,
    draft: isValid ? draft : undefined,
    hasChanges: state.hasChanges,
    onSend: state.noteSent,
    onStored: drafts.remove,
    onSaved,
  });
  const mayTest = useMayAt(agent.id)("agents:test") && mayWrite;
  const draftRun = useDraftRun(agent.id, draft);
  const marks = useMemo(
    () => new Map([...draftRun.pins.keys()].map((id) => [id, "pinned" as const])),
    [draftRun.pins],
  );
  // Typed text is shown immediately, the graph when there is time.
  const drawn = useDeferredValue(draft);
  const flow = useMemo(() => toFlowModel(drawn.flow), [drawn]);
  const refused = useMemo(() => toRefusals(saving.error, saving.sent), [saving.error, saving.sent]);
  const checked = useDraftCheck(agent.id, draft, mayTest && isValid && state.hasChanges);
  const refusals = checked ?? refused;
  const problems = useMemo(() => refusalsIn(draft, refusals), [draft, refusals]);
  const editing = useFlowEditing(change, setPlace);
  const steps = useMemo(() => listSteps(draft), [draft]);
  const index = selected === undefined ? -1 : findStepIndex(draft, selected);
  const isEditable = mayWrite && isValid;
  useEffect(() => {
    const [first] = refused.steps.keys();
    if (first !== undefined) setSelected((before) => keptSelection(before, refused.steps, first));
  }, [refused]);
  const surroundings = useSurroundings({
    ...{ agent: agent.id, draft, draftRun },
    stepId: index < 0 ? undefined : selected,
    isReadOnly: !isEditable,
  });
  const show = useCallback((stepId: string | undefined): void => {
    setSelected(stepId);
    if (stepId === undefined) setSettingsOpen(false);
  }, []);
  const apply = (added: { draft: typeof draft; id: string }): void => {
    change(() => added.draft);
    setSelected(added.id);
  };
  const add = (type: string): void => {
    const added = placeStep(draft, type, place ?? { type: "anywhere" });
    setPlace(undefined);
    apply({ ...added, draft: withModel(added.draft, type, providers) });
    focusMembers(box);
  };
  const after = index < 0 ? undefined : selected;
  const openPalette = (): void =>
    setPlace(
      edgePlace.current ??
        (after === undefined ? { type: "anywhere" } : { type: "after", source: after }),
    );
  const duplicate =
    isEditable && after !== undefined ? () => apply(duplicateStep(draft, after)) : undefined;
  const remove = (): void => {
    if (after === undefined) return;
    change((before) => removeStep(before, after));
    setSelected(undefined);
  };
  useEditorKeys(box, {
    undo: state.undo,
    redo: state.redo,
    save: () => saving.send(),
    duplicate: () => duplicate?.(),
  });
  useClipboard({
    draft,
    selected: after,
    onPaste: isEditable ? (step) => apply(pasteStep(draft, step, after)) : undefined,
  });
  const panelOf = (label: string, name: "json" | "run") => ({
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
          steps={steps}
          selected={selected}
          onSelect={show}
          onAdd={openPalette}
          panels={[
            {
              label: "Settings",
              isOpen: index < 0 && areSettingsOpen,
              onToggle: () => {
                setSelected(undefined);
                setSettingsOpen(index >= 0 || !areSettingsOpen);
              },
            },
            panelOf("JSON", "json"),
            ...(mayTest ? [panelOf("Run", "run")] : []),
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
      {!isValid && (
        <Text role="alert">
          The text is not valid JSON: the graph and the fields show the last valid one.
        </Text>
      )}
      <div className={classes.editor}>
        <div className={classes.canvas}>
          <Paper withBorder className={classes.graph ?? ""}>
            {steps.length === 0 && isEditable && (
              <div className={classes.empty}>
                <Text c="dimmed">This agent has no steps yet.</Text>
                <Button onClick={() => setPlace({ type: "anywhere" })}>Add the first step</Button>
              </div>
            )}
            <Suspense fallback={<PageLoader />}>
              <FlowGraph
                flow={flow}
                states={draftRun.results}
                marks={marks}
                refusals={refusals}
                selected={selected}
                onSelect={show}
                onSelectEdge={(edge) => {
                  edgePlace.current = edge;
                }}
                editing={isEditable ? editing : undefined}
                height="100%"
              />
            </Suspense>
          </Paper>
          {bottom === "run" && (
            <RunPanel agent={agent.id} draftRun={draftRun} className={classes.bottom} />
          )}
          {bottom === "json" && (
            <div className={classes.json}>
              <Suspense fallback={<PageLoader />}>
                <JsonEditor
                  label="Revision as JSON"
                  value={text}
                  onChange={mayWrite ? setText : undefined}
                  problems={problems}
                  marked={index < 0 ? undefined : `/flow/steps/${index}`}
                  height="100%"
                />
              </Suspense>
            </div>
          )}
        </div>
        {(index >= 0 || areSettingsOpen) && (
          <ExpressionContext value={surroundings}>
            <FlowPanel
              className={classes.panel}
              agentId={agent.id}
              draft={draft}
              selected={selected}
              onSelect={setSelected}
              onClose={() => show(undefined)}
              onDuplicate={duplicate}
              onRemove={isEditable ? remove : undefined}
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
      {place && (
        <StepPalette
          place={describePlace(place)}
          onChoose={add}
          onClose={() => setPlace(undefined)}
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

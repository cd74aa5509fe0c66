import { type RefObject, useCallback, useRef, useState } from "react";
import { duplicateStep, pasteStep } from "../../flow-graph/copy-steps.ts";
import { removeStep } from "../../flow-graph/edit-flow.ts";
import type { InsertPlace } from "../../flow-graph/editing.ts";
import { useProviders } from "../../models/use-providers.ts";
import { focusMembers } from "./focus-members.ts";
import { placeStep, withModel } from "./place-step.ts";
import { useClipboard } from "./use-clipboard.ts";
import type { DocumentState } from "./use-document.ts";
import { useEditorKeys } from "./use-editor-keys.ts";

type StepActionsOptions = {
  box: RefObject<HTMLElement | null>;
  state: DocumentState;
  /** The selected step, if the draft has it. */
  selected: string | undefined;
  onSelect: (stepId: string | undefined) => void;
  isEditable: boolean;
  onSave: () => void;
};

/** Adds, copies, duplicates and removes steps, by buttons and keys. */
export const useStepActions = (options: StepActionsOptions) => {
  const { box, state, selected, onSelect, isEditable, onSave } = options;
  const { draft, change, undo, redo } = state;
  const [place, setPlace] = useState<InsertPlace>();
  const edgePlace = useRef<InsertPlace>(undefined);
  const noteEdge = useCallback((edge: InsertPlace | undefined): void => {
    edgePlace.current = edge;
  }, []);
  const { items: providers } = useProviders();
  const apply = (added: { draft: typeof draft; id: string }): void => {
    change(() => added.draft);
    onSelect(added.id);
  };
  const add = (type: string): void => {
    const added = placeStep(draft, type, place ?? { type: "anywhere" });
    setPlace(undefined);
    apply({ ...added, draft: withModel(added.draft, type, providers) });
    focusMembers(box);
  };
  const atSelected: InsertPlace =
    selected === undefined ? { type: "anywhere" } : { type: "after", source: selected };
  const mayCopy = isEditable && selected !== undefined;
  const duplicate = mayCopy ? () => apply(duplicateStep(draft, selected)) : undefined;
  const remove = mayCopy
    ? () => {
        change((before) => removeStep(before, selected));
        onSelect(undefined);
      }
    : undefined;
  useEditorKeys(box, { undo, redo, save: onSave, duplicate: () => duplicate?.() });
  useClipboard({
    draft,
    selected,
    onPaste: isEditable ? (step) => apply(pasteStep(draft, step, selected)) : undefined,
  });
  return {
    ...{ place, setPlace, add, duplicate, remove },
    /** Asks for a step after the selected one, or in the selected edge. */
    ask: () => setPlace(edgePlace.current ?? atSelected),
    noteEdge,
  };
};

import { useCallback, useMemo, useState } from "react";
import type { Draft } from "../../flow-graph/edit-flow.ts";
import {
  changeDraft,
  continueDocument,
  type EditedDocument,
  hasChanges,
  noteSent,
  readText,
  redoChange,
  startDocument,
  typeText,
  undoChange,
} from "./edited-document.ts";

/** A revision that is being edited: its graph, its fields and its JSON are views of one document. */
export type DocumentState = {
  text: string;
  draft: Draft;
  isValid: boolean;
  hasChanges: boolean;
  /** Whether nothing was changed since it was sent to be saved. */
  isSent: boolean;
  mayUndo: boolean;
  mayRedo: boolean;
  setText: (text: string) => void;
  change: (next: (draft: Draft) => Draft) => void;
  undo: () => void;
  redo: () => void;
  /** Notes that the draft is sent to be saved. */
  noteSent: () => void;
};

/** Keeps a document. Parts that a change does not touch stay the same objects, so that they are not drawn again. */
export const useDocument = (initial: string): DocumentState => {
  const [kept, setState] = useState(() => startDocument(initial));
  const document = kept.initial === initial ? kept : continueDocument(kept, initial);
  if (document !== kept) setState(document);
  const apply = useCallback(
    (next: (document: EditedDocument) => EditedDocument) => setState(next),
    [],
  );
  const actions = useMemo(
    () => ({
      setText: (text: string) => apply((before) => typeText(before, text, Date.now())),
      change: (next: (draft: Draft) => Draft) =>
        apply((before) => changeDraft(before, next, Date.now())),
      undo: () => apply(undoChange),
      redo: () => apply(redoChange),
      noteSent: () => apply(noteSent),
    }),
    [apply],
  );
  const { draft, isValid } = document.present;
  return {
    ...actions,
    text: useMemo(() => readText(document), [document]),
    draft,
    isValid,
    hasChanges: useMemo(() => hasChanges(document), [document]),
    isSent: useMemo(() => document.sent === readText(document), [document]),
    mayUndo: document.past.length > 0,
    mayRedo: document.future.length > 0,
  };
};

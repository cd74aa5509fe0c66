import { useCallback, useState } from "react";
import { type Draft, formatDraft } from "../../flow-graph/edit-flow.ts";
import { continueDraft, type KeptDraft, startDraft, withText } from "./draft-state.ts";

/**
 * A revision that is being edited: the JSON text is authoritative, and the draft is parsed from it.
 */
export type DraftState = Pick<KeptDraft, "text" | "draft" | "isValid"> & {
  setText: (text: string) => void;
  change: (next: (draft: Draft) => Draft) => void;
  /** Notes that the draft is sent to be saved. */
  noteSent: () => void;
};

/** Keeps a draft. Parts that a change does not touch stay the same objects, so that they are not drawn again. */
export const useDraft = (initial: string): DraftState => {
  const [kept, setState] = useState(() => startDraft(initial));
  const state = kept.initial === initial ? kept : continueDraft(kept, initial);
  if (state !== kept) setState(state);
  const setText = useCallback((text: string) => setState((before) => withText(before, text)), []);
  const change = useCallback(
    (next: (draft: Draft) => Draft) =>
      setState((before) => {
        const draft = next(before.draft);
        return draft === before.draft
          ? before
          : { ...before, text: formatDraft(draft), draft, isValid: true };
      }),
    [],
  );
  const noteSent = useCallback(() => setState((before) => ({ ...before, sent: before.text })), []);
  const { text, draft, isValid } = state;
  return { text, draft, isValid, setText, change, noteSent };
};

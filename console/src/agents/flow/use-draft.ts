import { replaceEqualDeep } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { type Draft, formatDraft, parseDraft } from "../../flow-graph/edit-flow.ts";

/**
 * A revision that is being edited: the JSON text is authoritative, and the draft is parsed from it.
 */
export type DraftState = {
  text: string;
  /** The value of the text, or of the last text that was valid. */
  draft: Draft;
  isValid: boolean;
  setText: (text: string) => void;
  change: (next: (draft: Draft) => Draft) => void;
};

/** Keeps a draft. Parts that a change does not touch stay the same objects, so that they are not drawn again. */
export const useDraft = (initial: string): DraftState => {
  const [state, setState] = useState(() => {
    const draft = parseDraft(initial);
    return { text: initial, draft: draft ?? {}, isValid: draft !== undefined };
  });
  const setText = useCallback(
    (text: string) =>
      setState((before) => {
        const draft = parseDraft(text);
        return draft
          ? { text, isValid: true, draft: replaceEqualDeep(before.draft, draft) }
          : { ...before, text, isValid: false };
      }),
    [],
  );
  const change = useCallback(
    (next: (draft: Draft) => Draft) =>
      setState((before) => {
        const draft = next(before.draft);
        return draft === before.draft ? before : { text: formatDraft(draft), draft, isValid: true };
      }),
    [],
  );
  return { ...state, setText, change };
};

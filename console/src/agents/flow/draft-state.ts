import { replaceEqualDeep } from "@tanstack/react-query";
import { type Draft, parseDraft } from "../../flow-graph/edit-flow.ts";

/** A draft, the revision that it was made from, and what was last sent to be saved. */
export type KeptDraft = {
  text: string;
  /** The value of the text, or of the last text that was valid. */
  draft: Draft;
  isValid: boolean;
  /** The text of the revision. */
  initial: string;
  sent: string | undefined;
};

/** Returns the draft of a revision without changes. */
export const startDraft = (initial: string): KeptDraft => {
  const draft = parseDraft(initial);
  return {
    text: initial,
    draft: draft ?? {},
    isValid: draft !== undefined,
    initial,
    sent: undefined,
  };
};

/** Replaces the text. Parts of the draft that did not change stay the same objects. */
export const withText = (before: KeptDraft, text: string): KeptDraft => {
  const draft = parseDraft(text);
  return draft
    ? { ...before, text, isValid: true, draft: replaceEqualDeep(before.draft, draft) }
    : { ...before, text, isValid: false };
};

/** Continues with the revision that the draft was saved as. Text that was typed since it was sent is kept. */
export const continueDraft = (before: KeptDraft, initial: string): KeptDraft => {
  const isUnchanged = before.text === (before.sent ?? before.initial);
  const next = { ...before, initial, sent: undefined };
  return isUnchanged ? withText(next, initial) : next;
};

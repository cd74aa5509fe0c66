import { replaceEqualDeep } from "@tanstack/react-query";
import { type Draft, formatDraft, parseDraft } from "../../flow-graph/edit-flow.ts";
import { findChangedPlace } from "./find-changed-place.ts";

/** A version of the document. While its text is not valid JSON, `draft` is the last valid value. */
export type Version = {
  draft: Draft;
  /** The text, where it was typed as JSON; otherwise that of the draft. */
  typed: string | undefined;
  isValid: boolean;
};

/** A draft of a revision with its earlier and undone versions, what it was made from, and what was last sent to be saved. */
export type EditedDocument = {
  past: readonly Version[];
  present: Version;
  future: readonly Version[];
  /** The text of the revision. */
  initial: string;
  sent: string | undefined;
  /** The place that the last change was made at, and when: typing at one place is one step of the history. */
  last: { place: string; time: number } | undefined;
};

/** Versions that can be restored. */
const maxPast = 200;
/** Milliseconds between changes at one place that are one step of the history. */
const togetherMs = 1_000;

const toVersion = (text: string, before: Draft): Version => {
  const draft = parseDraft(text);
  return {
    draft: draft ? replaceEqualDeep(before, draft) : before,
    typed: text,
    isValid: draft !== undefined,
  };
};

/** Returns the document of a revision without changes. */
export const startDocument = (initial: string): EditedDocument => ({
  past: [],
  present: toVersion(initial, {}),
  future: [],
  initial,
  sent: undefined,
  last: undefined,
});

/** Returns the text of the present version. */
export const readText = ({ present }: EditedDocument): string =>
  present.typed ?? formatDraft(present.draft);

/** Reports whether the present version differs from the revision. */
export const hasChanges = (document: EditedDocument): boolean =>
  readText(document) !== document.initial;

const withVersion = (
  document: EditedDocument,
  present: Version,
  { place, time }: { place: string | undefined; time: number },
): EditedDocument => {
  const { last, past } = document;
  const isTogether =
    place !== undefined &&
    last?.place === place &&
    time - last.time < togetherMs &&
    past.length > 0;
  return {
    ...document,
    past: isTogether ? past : [...past, document.present].slice(-maxPast),
    present,
    future: [],
    last: place === undefined ? undefined : { place, time },
  };
};

/** Replaces the text. Parts of the draft that did not change stay the same objects. */
export const typeText = (document: EditedDocument, text: string, time: number): EditedDocument =>
  text === readText(document)
    ? document
    : withVersion(document, toVersion(text, document.present.draft), { place: "text", time });

/** Changes the draft. */
export const changeDraft = (
  document: EditedDocument,
  change: (draft: Draft) => Draft,
  time: number,
): EditedDocument => {
  const before = document.present.draft;
  const draft = change(before);
  if (draft === before) return document;
  const present = { draft, typed: undefined, isValid: true };
  return withVersion(document, present, { place: findChangedPlace(before, draft), time });
};

/** Returns to the version before the last change. */
export const undoChange = (document: EditedDocument): EditedDocument => {
  const before = document.past.at(-1);
  if (!before) return document;
  return {
    ...document,
    past: document.past.slice(0, -1),
    present: before,
    future: [document.present, ...document.future],
    last: undefined,
  };
};

/** Makes the change again that was undone last. */
export const redoChange = (document: EditedDocument): EditedDocument => {
  const [next, ...future] = document.future;
  if (!next) return document;
  return {
    ...document,
    past: [...document.past, document.present],
    present: next,
    future,
    last: undefined,
  };
};

/** Notes that the draft is sent to be saved. */
export const noteSent = (document: EditedDocument): EditedDocument => ({
  ...document,
  sent: readText(document),
});

/** Continues with the revision that the draft was saved as. What was changed since it was sent is kept. */
export const continueDocument = (document: EditedDocument, initial: string): EditedDocument => {
  const isUnchanged = readText(document) === (document.sent ?? document.initial);
  return {
    ...document,
    initial,
    sent: undefined,
    last: undefined,
    ...(isUnchanged && { present: toVersion(initial, document.present.draft) }),
  };
};

import { type RefObject, useEffect, useRef } from "react";

/** Actions of the keys of the editor. */
export type EditorKeys = {
  undo: () => void;
  redo: () => void;
  save: () => void;
  duplicate: () => void;
};

/** Fields inside such an element have texts of their own, which the document does not have. */
export const ownUndo = { "data-own-undo": true } as const;

/** Ctrl or Cmd with S, Z, Y and D, wherever the focus is on the page. Other fields keep their own undo. */
export const useEditorKeys = (box: RefObject<HTMLElement | null>, keys: EditorKeys): void => {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const action = chooseAction(event, box.current);
      if (!action) return;
      // Before an editor of a text inside, which has a history of its own.
      event.preventDefault();
      event.stopPropagation();
      latest.current[action]();
    };
    document.addEventListener("keydown", press, { capture: true });
    return () => document.removeEventListener("keydown", press, { capture: true });
  }, [box]);
};

const chooseAction = (
  { key, shiftKey, target }: KeyboardEvent,
  box: HTMLElement | null,
): keyof EditorKeys | undefined => {
  const name = key.toLowerCase();
  if (name === "s" && !shiftKey) return "save";
  const element = target instanceof Element ? target : document.body;
  if (element.closest('[role="dialog"]')) return undefined;
  if (name === "z" || name === "y") {
    const isField = element.closest("input, textarea, [contenteditable]") !== null;
    if (isField && (!box?.contains(element) || element.closest("[data-own-undo]")))
      return undefined;
    return name === "y" || shiftKey ? "redo" : "undo";
  }
  const isInGraph = element === document.body || element.closest(".react-flow") !== null;
  return name === "d" && !shiftKey && isInGraph ? "duplicate" : undefined;
};

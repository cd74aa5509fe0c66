import { useEffect, useRef } from "react";
import { copyStep, parseCopiedStep } from "../../flow-graph/copy-steps.ts";
import type { Draft } from "../../flow-graph/edit-flow.ts";
import type { Members } from "../../flow-graph/members.ts";

type ClipboardOptions = {
  draft: Draft;
  selected: string | undefined;
  /** Adds a copied step; undefined where the flow cannot be changed. */
  onPaste: ((step: Members) => void) | undefined;
};

/** Copies the selected step as a text, and pastes such a text as a step, also in another agent. Fields keep their own. */
export const useClipboard = (options: ClipboardOptions): void => {
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    const copy = (event: ClipboardEvent): void => {
      const { draft, selected } = latest.current;
      const isText = getSelection()?.isCollapsed === false;
      const text = selected === undefined || isText ? undefined : copyStep(draft, selected);
      if (text === undefined || isInField(event.target)) return;
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
    };
    const paste = (event: ClipboardEvent): void => {
      const step = parseCopiedStep(event.clipboardData?.getData("text/plain") ?? "");
      if (!step || isInField(event.target)) return;
      event.preventDefault();
      latest.current.onPaste?.(step);
    };
    document.addEventListener("copy", copy);
    document.addEventListener("paste", paste);
    return () => {
      document.removeEventListener("copy", copy);
      document.removeEventListener("paste", paste);
    };
  }, []);
};

const isInField = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, [contenteditable], [role="dialog"]') !== null;

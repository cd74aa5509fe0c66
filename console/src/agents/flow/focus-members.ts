import type { RefObject } from "react";

/** Attribute of the element with the fields of a step's type. */
export const membersAttribute = { "data-members": true } as const;

const field = `[data-members] :is(textarea, [contenteditable="true"], input:not([type="radio"]))`;
const attempts = 40;
const pauseMs = 50;

/** Sets the focus to the first field of the selected step, when it is shown: a new step is filled in without a click. */
export const focusMembers = (box: RefObject<HTMLElement | null>): void => {
  const before = document.activeElement;
  const attempt = (left: number): void => {
    const found = box.current?.querySelector<HTMLElement>(field);
    const isFree = document.activeElement === before || document.activeElement === document.body;
    if (found && !document.querySelector('[role="dialog"]')) found.focus();
    else if (left > 0 && (isFree || !found)) setTimeout(() => attempt(left - 1), pauseMs);
  };
  setTimeout(() => attempt(attempts), pauseMs);
};

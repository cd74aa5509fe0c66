import type { Io } from "./io.ts";
import { printable } from "./printable.ts";

/** A line on a terminal that is replaced by the next one. */
export type Progress = {
  /** Shows a text in place of the one before. */
  show: (text: string) => void;
  /** Removes the line, before other output and at the end. */
  clear: () => void;
};

/** Shows progress on stderr if that is a terminal; otherwise nothing. */
export const progressOn = ({ stderr }: Pick<Io, "stderr">): Progress => {
  if (stderr.isTTY !== true) return { show: () => undefined, clear: () => undefined };
  let shown = false;
  const clear = (): void => {
    if (shown) stderr.write("\r\u001b[K");
    shown = false;
  };
  return {
    show: (text) => {
      clear();
      stderr.write(printable(text));
      shown = true;
    },
    clear,
  };
};

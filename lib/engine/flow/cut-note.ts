const beginningLength = 16_000;

/** The replacement for a value that is truncated in the trace. */
export type CutNote = {
  readonly cut: true;
  /** Size of the whole value's JSON. */
  readonly bytes: number;
  /** The first 16,000 characters of its JSON; empty where there is no room for them either. */
  readonly beginning: string;
};

/** Builds the replacement for a JSON value: its size and, where there is room, its start. */
export const cutNote = (value: unknown, hasRoom = true): CutNote => {
  const text = JSON.stringify(value);
  const beginning = hasRoom ? text.slice(0, beginningLength).toWellFormed() : "";
  return { cut: true, bytes: Buffer.byteLength(text), beginning };
};

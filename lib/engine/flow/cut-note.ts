const beginningLength = 16_000;

/** What stands in the place of a value that is not shown whole. */
export type CutNote = {
  readonly cut: true;
  /** Of the whole value's JSON. */
  readonly bytes: number;
  /** The first 16,000 characters of its JSON; empty where there is no room for them either. */
  readonly beginning: string;
};

/** Says of a JSON value how large it is and, unless there is no room, how it begins. */
export function cutNote(value: unknown, hasRoom = true): CutNote {
  const text = JSON.stringify(value);
  const beginning = hasRoom ? text.slice(0, beginningLength).toWellFormed() : "";
  return { cut: true, bytes: Buffer.byteLength(text), beginning };
}

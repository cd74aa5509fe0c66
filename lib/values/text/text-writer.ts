/** Writes plain text from words, breaks, list items and table cells, in one pass. */
export type TextWriter = {
  /** Writes words: collapses white space, drops invisible characters. */
  text(value: string): void;
  /** Writes text and preserves its white space. */
  raw(value: string): void;
  /** Starts a new line. */
  line(): void;
  /** Starts a paragraph after a blank line, or a new line in a list or table. */
  paragraph(): void;
  /** Writes an explicit line break. */
  lineBreak(): void;
  /** Starts (1) or ends (-1) a list. */
  list(change: 1 | -1): void;
  /** Starts an item; `marker` precedes its first words, if it has any. */
  item(marker: string): void;
  /** Starts or ends a row. */
  row(): void;
  cell(): void;
  endCell(): void;
  /** Returns the text written since the last call. */
  take(): string;
};

const space = /[ \t\n\r\f\v\u00a0]+/;
const invisible = /[\u00ad\u200b\u2060\ufeff]/g;
const maxIndent = 8;

/** Creates a writer, which holds only the text not taken yet. */
export const createTextWriter = (): TextWriter => {
  let parts: string[] = [];
  let isEmpty = true;
  let newlines = 0;
  let needsSpace = false;
  let marker = "";
  let separators = 0;
  let isFirstCell = false;
  let lists = 0;
  let cells = 0;

  const emit = (value: string) => {
    if (separators > 0) parts.push(" | ".repeat(separators));
    else if (newlines > 0 && !isEmpty) parts.push("\n".repeat(newlines));
    else if (needsSpace && !isEmpty) parts.push(" ");
    if (separators === 0 && (newlines > 0 || isEmpty) && lists > 1) {
      parts.push("  ".repeat(Math.min(lists - 1, maxIndent)));
    }
    parts.push(marker, value);
    marker = "";
    newlines = 0;
    separators = 0;
    needsSpace = false;
    isEmpty = false;
  };

  /** Whether the next words must stay on the line of their item or cell. */
  const isBound = () => marker !== "" || separators > 0;

  const breakTo = (least: number) => {
    needsSpace = false;
    if (!isBound()) newlines = Math.max(newlines, least);
  };

  return {
    text: (value) => {
      const words = value.replace(invisible, "").split(space);
      for (const [index, word] of words.entries()) {
        if (index > 0) needsSpace = true;
        if (word !== "") emit(word);
      }
    },
    raw: (value) => {
      const text = value.replaceAll("\r\n", "\n");
      const start = /^\n*/.exec(text)?.[0].length ?? 0;
      newlines += start;
      if (start === text.length) return;
      let end = text.length;
      while (text[end - 1] === "\n") end -= 1;
      emit(text.slice(start, end));
      newlines = text.length - end;
    },
    line: () => breakTo(1),
    paragraph: () => breakTo(lists + cells > 0 ? 1 : 2),
    lineBreak: () => breakTo(Math.min(newlines + 1, 2)),
    list: (change) => {
      marker = "";
      breakTo(lists + cells > 0 ? 1 : 2);
      lists = Math.max(0, lists + change);
    },
    item: (value) => {
      marker = "";
      breakTo(1);
      marker = value;
    },
    row: () => {
      separators = 0;
      breakTo(1);
      isFirstCell = true;
    },
    cell: () => {
      if (!isFirstCell) {
        newlines = 0;
        separators += 1;
      }
      isFirstCell = false;
      cells += 1;
    },
    endCell: () => {
      cells = Math.max(0, cells - 1);
      isFirstCell = false;
    },
    take: () => {
      const taken = parts.join("");
      parts = [];
      return taken;
    },
  };
};

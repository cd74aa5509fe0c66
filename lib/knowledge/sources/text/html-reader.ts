import { Parser, type ParserOptions } from "htmlparser2";

/** What is told of markup. Every `open` has its `close`, also of elements that have no end tag. */
export type MarkupHandler = {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(value: string): void;
  close(name: string): void;
};

/** The parser looks through all open elements at each end tag, so nesting costs its square. */
const deepest = 256;

/**
 * Reads markup in pieces of any size. Where elements are nested deeper than anybody nests them, what is open
 * is closed and reading goes on behind it, so that the time stays in proportion to the length.
 */
export function createHtmlReader(
  handler: MarkupHandler,
  options: ParserOptions = {},
): { write(piece: string): void; end(): void } {
  let reader = open(handler, options);
  return {
    write: (piece) => {
      let rest = reader.write(piece);
      while (rest !== "") {
        reader.end();
        reader = open(handler, options);
        rest = reader.write(rest);
      }
    },
    end: () => reader.end(),
  };
}

function open(handler: MarkupHandler, options: ParserOptions) {
  const openNames: string[] = [];
  let written = 0;
  let isFull = false;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        openNames.push(name);
        handler.open(name, attributes);
        if (openNames.length <= deepest) return;
        isFull = true;
        parser.pause();
      },
      ontext: (data) => handler.text(data),
      onclosetag: (name) => {
        openNames.pop();
        handler.close(name);
      },
    },
    options,
  );
  return {
    /** What was not read, because too much is open. */
    write: (piece: string): string => {
      parser.write(piece);
      const rest = isFull ? piece.slice(parser.endIndex + 1 - written) : "";
      written += piece.length;
      return rest;
    },
    end: () => {
      if (!isFull) parser.end();
      for (const name of openNames.splice(0).reverse()) handler.close(name);
    },
  };
}

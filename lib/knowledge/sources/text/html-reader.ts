import { Parser, type ParserOptions } from "htmlparser2";
import type { Charge } from "../source.ts";

/** What is told of markup. Every `open` has its `close`, also of elements that have no end tag. */
export type MarkupHandler = {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(value: string): void;
  close(name: string): void;
};

/** The parser looks through all open elements at each end tag, so nesting costs its square. */
const deepest = 256;
/** Attributes that a tag may have: what comes behind more of them is read as text. */
const mostAttributes = 256;
/** Characters that are parsed in one go. */
const pieceLength = 32 * 1024;

/** Writes text to a reader piece by piece, each charged before it is parsed. */
export function writeCharged(
  reader: { write(piece: string): void },
  text: string,
  charge: Charge,
): void {
  for (let at = 0; at < text.length; at += pieceLength) {
    const piece = text.slice(at, at + pieceLength);
    charge(piece.length);
    reader.write(piece);
  }
}

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
  let attributes = 0;
  const parser = new Parser(
    {
      onattribute: () => {
        attributes += 1;
        if (attributes <= mostAttributes) return;
        isFull = true;
        parser.pause();
      },
      onopentag: (name, own) => {
        attributes = 0;
        openNames.push(name);
        handler.open(name, own);
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

import { Parser, type ParserOptions } from "htmlparser2";
import type { Charge } from "./charge.ts";

/** Callbacks for markup. Every `open` is followed by a `close`, also for elements without an end tag. */
export type MarkupHandler = {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(value: string): void;
  close(name: string): void;
};

/** Limits open elements: the parser searches all of them at each end tag, which takes quadratic time. */
const deepest = 256;
/** Limits the attributes of a tag; the rest of a tag with more is read as text. */
const maxAttributes = 256;
/** Characters that are charged and parsed at a time. */
const pieceLength = 32 * 1024;

/** Writes text to a reader in pieces, and charges each before it is parsed. */
export const writeCharged = (
  reader: { write(piece: string): void },
  text: string,
  charge: Charge,
): void => {
  for (let at = 0; at < text.length; at += pieceLength) {
    const piece = text.slice(at, at + pieceLength);
    charge(piece.length);
    reader.write(piece);
  }
};

/**
 * Creates a parser for markup in pieces of any size. It closes all open elements at 256 levels and starts again, so
 * that its time is linear.
 */
export const createHtmlReader = (
  handler: MarkupHandler,
  options: ParserOptions = {},
): { write(piece: string): void; end(): void } => {
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
};

const open = (handler: MarkupHandler, options: ParserOptions) => {
  const openNames: string[] = [];
  let written = 0;
  let isFull = false;
  let attributes = 0;
  const parser = new Parser(
    {
      onattribute: () => {
        attributes += 1;
        if (attributes <= maxAttributes) return;
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
    /** Parses a piece; returns the rest that was not read because a limit was reached. */
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
};

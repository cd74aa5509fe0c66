import { responseBytes } from "../../platform/http/response-size.ts";
import type { Json } from "../../values/json/json.ts";
import { cutNote } from "./cut-note.ts";
import type { Span } from "./flow-result.ts";
import type { Passage } from "./knowledge.ts";

/** Maximum bytes of JSON of a span's input, and of its output. */
const maxValueBytes = 64 * 1024;
/** Maximum bytes of all spans' inputs and outputs in a response. */
const maxShownBytes = 4_000_000;
const shortDetail = 200;
/** Maximum characters of the text of a citation. */
const maxPassageLength = 4_000;

/** Truncates a text; a pair of surrogates stays whole. */
const cutText = (text: string): string =>
  text.length <= maxPassageLength
    ? text
    : `${text.slice(0, maxPassageLength - 1).replace(/[\ud800-\udbff]$/, "")}…`;

/** Masks secrets in a value. */
export type Hide = (value: Json) => Json;

/**
 * Limits the size of a run's spans: truncates large values, and omits inputs, outputs and long failures once the
 * spans have 4 MB together.
 */
export class TraceRoom {
  readonly #hide: Hide;
  #left = maxShownBytes;

  /** @param hide applied before truncation, which could split a secret */
  constructor(hide: Hide = (value) => value) {
    this.#hide = hide;
  }

  /** Returns a finished span, truncated. */
  fit(span: Span): Span {
    const error = span.error && this.#fitError(span.error);
    return {
      ...span,
      error,
      input: this.#fitValue(span.input),
      output: this.#fitValue(span.output),
      ...(span.citations && {
        citations: span.citations.map((citation) => this.#fitPassage(citation)),
      }),
    };
  }

  /** Counts spans that were truncated before. */
  count(spans: readonly Span[]): void {
    for (const { input, output, error, citations = [] } of spans) {
      this.#left -= responseBytes([input, output, error?.detail ?? null, ...citations]);
    }
  }

  #fitValue(value: Json): Json {
    if (value === null || typeof value === "number" || typeof value === "boolean") return value;
    const bytes = Buffer.byteLength(JSON.stringify(value));
    const shown = bytes > maxValueBytes ? cutNote(this.#hide(value)) : value;
    return this.#take(shown) ? shown : cutNote(value, false);
  }

  /** Truncates the text of a citation; omits it when there is no room. */
  #fitPassage(passage: Passage): Passage {
    const isLong = passage.text.length > maxPassageLength;
    const text = isLong ? cutText(this.#hideText(passage.text)) : passage.text;
    const shown = { ...passage, text };
    return this.#take(shown) ? shown : { ...passage, text: "" };
  }

  #hideText(text: string): string {
    const hidden = this.#hide(text);
    return typeof hidden === "string" ? hidden : text;
  }

  #fitError(error: NonNullable<Span["error"]>): Span["error"] {
    if (this.#take(error.detail)) return error;
    return { ...error, detail: error.detail.slice(0, shortDetail).toWellFormed() };
  }

  #take(shown: Json): boolean {
    const bytes = responseBytes(shown);
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

import type { Json } from "../../json/json.ts";
import { answerBytes } from "../../platform/http/answer-size.ts";
import { cutNote } from "./cut-note.ts";
import type { Span } from "./flow-result.ts";

/** Bytes of JSON that a span shows of its input, and of its output. */
const mostValueBytes = 64 * 1024;
/** Bytes that what all spans of a run show may take in an answer. */
const mostShownBytes = 4_000_000;
const shortDetail = 200;

/** Masks what must not be shown in a value. */
export type Hide = (value: Json) => Json;

/**
 * Keeps the spans of a run small enough to be held and answered with: what is too large in them is cut, and
 * once they show 4 MB together, inputs, outputs and long failures are left out.
 */
export class TraceRoom {
  readonly #hide: Hide;
  #left = mostShownBytes;

  /** @param hide is applied before a value is cut, since a part of a secret could not be found any more */
  constructor(hide: Hide = (value) => value) {
    this.#hide = hide;
  }

  /** A span that has ended, as it is kept. */
  fit(span: Span): Span {
    const error = span.error && this.#fitError(span.error);
    return {
      ...span,
      error,
      input: this.#fitValue(span.input),
      output: this.#fitValue(span.output),
    };
  }

  /** Counts spans that were fitted before. */
  count(spans: readonly Span[]): void {
    for (const { input, output, error } of spans) {
      this.#left -= answerBytes([input, output, error?.detail ?? null]);
    }
  }

  #fitValue(value: Json): Json {
    if (value === null || typeof value === "number" || typeof value === "boolean") return value;
    const bytes = Buffer.byteLength(JSON.stringify(value));
    const shown = bytes > mostValueBytes ? cutNote(this.#hide(value)) : value;
    return this.#take(shown) ? shown : cutNote(value, false);
  }

  #fitError(error: NonNullable<Span["error"]>): Span["error"] {
    if (this.#take(error.detail)) return error;
    return { ...error, detail: error.detail.slice(0, shortDetail).toWellFormed() };
  }

  #take(shown: Json): boolean {
    const bytes = answerBytes(shown);
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

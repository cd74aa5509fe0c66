import type { Chunking } from "../sources/chunk-count.ts";
import type { TokenCounter } from "../sources/token-counter.ts";
import { type TextUnit, textUnits } from "./text-units.ts";

/** A chunk of a document. */
export type Chunk = {
  readonly text: string;
  readonly tokens: number;
  /** The last heading at or before its beginning, without its marks; null before the first one. */
  readonly heading: string | null;
  /** Where it begins in the whole text. */
  readonly start: number;
};

type Unit = Pick<TextUnit, "text" | "begins"> & {
  readonly tokens: number;
  readonly heading: string | null;
  readonly start: number;
};

/** Units of the next chunk: first those repeated from the chunk before. */
type Pending = { readonly units: readonly Unit[]; readonly repeated: number };

/**
 * Splits a text into chunks of at most `size` tokens. A chunk ends before a heading, else before a paragraph, where one
 * begins in its second half, else before a sentence; a longer sentence is divided. A chunk repeats the last sentences
 * of the one before, of at most `overlap` tokens and only from the same section.
 */
export async function* splitText(
  text: Iterable<string> | AsyncIterable<string>,
  { chunking, count }: { chunking: Chunking; count: TokenCounter },
): AsyncGenerator<Chunk> {
  let heading: string | null = null;
  let start = 0;
  let pending: Pending = { units: [], repeated: 0 };
  for await (const whole of textUnits(text)) {
    if (whole.heading !== undefined) heading = whole.heading;
    for (const part of divide(whole, chunking.size, count)) {
      const unit: Unit = { ...part, heading, start };
      start += part.text.length;
      while (!fits(pending, unit, chunking)) {
        const end = findChunkEnd(pending, unit, chunking);
        yield* toChunk(pending, end);
        pending = rest(pending, end, unit, chunking);
      }
      pending = { ...pending, units: [...pending.units, unit] };
    }
  }
  yield* toChunk(pending, pending.units.length);
}

const sum = (units: readonly Unit[]): number =>
  units.reduce((total, { tokens }) => total + tokens, 0);

const fits = ({ units }: Pending, unit: Unit, { size }: Chunking): boolean =>
  units.length === 0 || sum(units) + unit.tokens <= size;

const ranks = { section: 2, paragraph: 1, sentence: 0 } as const;

/** Returns how many units the chunk has: all, unless a better place to end is in its second half. */
const findChunkEnd = ({ units, repeated }: Pending, next: Unit, { size }: Chunking): number => {
  let end = units.length;
  let best = ranks[next.begins];
  let tokens = sum(units);
  for (let at = units.length - 1; at > repeated; at -= 1) {
    const unit = units[at];
    tokens -= unit?.tokens ?? 0;
    if (!unit || tokens < size / 2) break;
    if (ranks[unit.begins] > best) [end, best] = [at, ranks[unit.begins]];
  }
  return end;
};

/**
 * Returns the pending units after a chunk's end: the repeated ones and those that were not in it.
 */
const rest = (
  { units, repeated }: Pending,
  end: number,
  next: Unit,
  chunking: Chunking,
): Pending => {
  const left = units.slice(end);
  const first = left[0] ?? next;
  const again = end > repeated ? selectOverlap(units.slice(0, end), first, chunking) : [];
  const isTooMuch = sum(again) + sum(left) + next.tokens > chunking.size && left.length === 0;
  return isTooMuch
    ? { units: [], repeated: 0 }
    : { units: [...again, ...left], repeated: again.length };
};

const selectOverlap = (units: readonly Unit[], first: Unit, { overlap }: Chunking): Unit[] => {
  if (first.begins === "section") return [];
  let start = units.length;
  for (let tokens = 0; start > 0; start -= 1) {
    const unit = units[start - 1];
    tokens += unit?.tokens ?? 0;
    if (!unit || tokens > overlap || unit.begins === "section") break;
  }
  return units.slice(start);
};

function* toChunk({ units, repeated }: Pending, end: number): Generator<Chunk> {
  if (end <= repeated) return;
  const whole = units
    .slice(0, end)
    .map((unit) => unit.text)
    .join("");
  const text = whole.trim();
  if (text === "") return;
  const start = (units[0]?.start ?? 0) + whole.indexOf(text);
  const heading = units[repeated]?.heading ?? null;
  yield { text, tokens: sum(units.slice(0, end)), heading, start };
}

/** Divides a unit of too many tokens in halves, between characters, until each part fits. */
function* divide(
  { text, begins }: Pick<TextUnit, "text" | "begins">,
  size: number,
  count: TokenCounter,
): Generator<Omit<Unit, "heading" | "start">> {
  const tokens = count(text);
  if (tokens <= size || text.length < 2) {
    yield { text, begins, tokens };
    return;
  }
  const middle = Math.floor(text.length / 2);
  const unit = text.charCodeAt(middle);
  const isLow = unit >= 0xdc00 && unit <= 0xdfff;
  const at = isLow ? middle - 1 || middle + 1 : middle;
  yield* divide({ text: text.slice(0, at), begins }, size, count);
  yield* divide({ text: text.slice(at), begins: "sentence" }, size, count);
}

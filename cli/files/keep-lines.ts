import { diffArrays } from "diff";

/** A range of lines that differ: of the first text and of the second. */
type Difference = { from: number; to: number; otherFrom: number; otherTo: number };

/**
 * Makes in `text` the changes that lead from `normal` to `changed`, line by line. `normal` is `text` in the style in
 * which `changed` is written, so that lines without a change stay as they are written.
 */
export const keepLines = (text: string, normal: string, changed: string): string => {
  const [own, from, to] = [text, normal, changed].map((version) => version.split("\n"));
  if (own === undefined || from === undefined || to === undefined) return changed;
  const style = findDifferences(from, own, (one, other) => plain(one) === plain(other)).flatMap(
    split,
  );
  const changes = findDifferences(from, to, (one, other) => one === other);
  const lines: string[] = [];
  let at = 0;
  for (const { start, end, isChange } of mergeRegions(style, changes)) {
    lines.push(...own.slice(placeIn(style, at, true), placeIn(style, start)));
    if (isChange) {
      const near = start === end ? Math.max(0, start - 1) : start;
      const shift = measureIndent(own[placeIn(style, near)]) - measureIndent(from[near]);
      const made = to.slice(placeIn(changes, start), placeIn(changes, end, true));
      lines.push(...made.map((line) => indented(line, shift)));
    } else lines.push(...own.slice(placeIn(style, start), placeIn(style, end, true)));
    at = end;
  }
  lines.push(...own.slice(placeIn(style, at, true)));
  return lines.join("\n");
};

const measureIndent = (line = ""): number => line.length - line.trimStart().length;

const indented = (line: string, shift: number): string =>
  line === "" ? line : " ".repeat(Math.max(0, measureIndent(line) + shift)) + line.trimStart();

/** Style differs in white space, for example inside braces. */
const plain = (line: string): string => line.replaceAll(/\s/g, "");

const findDifferences = (
  lines: string[],
  others: string[],
  comparator: (one: string, other: string) => boolean,
): Difference[] => {
  const found: Difference[] = [];
  let from = 0;
  let otherFrom = 0;
  for (const { added, removed, count } of diffArrays(lines, others, { comparator })) {
    const last = found.at(-1);
    const to = from + (added ? 0 : count);
    const otherTo = otherFrom + (removed ? 0 : count);
    if (added || removed) {
      if (last && last.to === from && last.otherTo === otherFrom) {
        last.to = to;
        last.otherTo = otherTo;
      } else found.push({ from, to, otherFrom, otherTo });
    }
    from = to;
    otherFrom = otherTo;
  }
  return found;
};

/** Splits a range of as many lines in both texts into its lines. */
const split = (difference: Difference): Difference[] => {
  const { from, to, otherFrom, otherTo } = difference;
  if (to - from !== otherTo - otherFrom) return [difference];
  return Array.from({ length: to - from }, (_, line) => ({
    from: from + line,
    to: from + line + 1,
    otherFrom: otherFrom + line,
    otherTo: otherFrom + line + 1,
  }));
};

type Region = { start: number; end: number; isChange: boolean };

/** Joins the ranges of both kinds that overlap; one with a change is a change as a whole. */
const mergeRegions = (style: readonly Difference[], changes: readonly Difference[]): Region[] => {
  const all = [
    ...style.map(({ from, to }) => ({ start: from, end: to, isChange: false })),
    ...changes.map(({ from, to }) => ({ start: from, end: to, isChange: true })),
  ].sort((one, other) => one.start - other.start || one.end - other.end);
  const regions: Region[] = [];
  for (const next of all) {
    const last = regions.at(-1);
    if (last && next.start < last.end) {
      last.end = Math.max(last.end, next.end);
      last.isChange ||= next.isChange;
    } else regions.push({ ...next });
  }
  return regions;
};

/** Returns the place in the second text of a place between ranges in the first; after an empty range with `isAfter`. */
const placeIn = (differences: readonly Difference[], place: number, isAfter = false): number => {
  const before = differences.filter(({ from, to }) =>
    from === to ? to < place || (isAfter && to === place) : to <= place,
  );
  const last = before.at(-1);
  return last ? last.otherTo + place - last.to : place;
};

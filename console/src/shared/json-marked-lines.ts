import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { TextRange } from "./json-pointer-range.ts";

/** Marks the lines of a range, and no others. */
export const markRange = StateEffect.define<TextRange | undefined>();

const line = Decoration.line({ class: "cm-markedLine" });

/** Keeps the marked lines while the text changes. */
export const markedLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { effects, changes, state }) {
    const effect = effects.findLast((candidate) => candidate.is(markRange));
    if (!effect) return marks.map(changes);
    const range: TextRange | undefined = effect.value;
    if (!range) return Decoration.none;
    const first = state.doc.lineAt(range.from).number;
    const last = state.doc.lineAt(Math.min(range.to, state.doc.length)).number;
    const lines = Array.from({ length: last - first + 1 }, (_, index) =>
      line.range(state.doc.line(first + index).from),
    );
    return Decoration.set(lines);
  },
  provide: (field) => EditorView.decorations.from(field),
});

import { acceptCompletion, autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap } from "@codemirror/commands";
import { Compartment, EditorState } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  keymap,
  MatchDecorator,
  placeholder as showPlaceholder,
  ViewPlugin,
} from "@codemirror/view";
import { useEffect, useRef } from "react";
import { changeBetween } from "../../../shared/text-change.ts";
import { type ExpressionScope, listCompletions } from "./completions.ts";
import classes from "./expression-editor.module.css";

type ExpressionEditorProps = {
  label: string;
  value: string;
  onChange: (text: string) => void;
  scope: ExpressionScope;
  /** Whether the text is one expression, without `{%` and `%}`. */
  isBare: boolean;
  isReadOnly: boolean;
  minRows: number;
  placeholder: string | undefined;
  /** Id of the element that describes the field. */
  describedBy: string;
  isInvalid: boolean;
};

const expressionMark = Decoration.mark({ class: "cm-expression" });
const marker = new MatchDecorator({ regexp: /\{%[\s\S]*?%\}/g, decoration: expressionMark });
const marks = ViewPlugin.define(
  (view) => {
    let decorations = marker.createDeco(view);
    return {
      get decorations() {
        return decorations;
      },
      update(update) {
        decorations = marker.updateDeco(update, decorations);
      },
    };
  },
  { decorations: ({ decorations }) => decorations },
);

/** Edits a text with expressions, with completions. Import it lazily. The document has the history. */
export const ExpressionEditor = (props: ExpressionEditorProps) => {
  const { label, value, isReadOnly, isBare, minRows, placeholder = "" } = props;
  const { describedBy, isInvalid } = props;
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const access = useRef(new Compartment());
  /** Texts that were typed and have not come back as the value yet. */
  const typed = useRef<string[]>([]);

  useEffect(() => {
    if (!container.current) return;
    const editor = new EditorView({
      parent: container.current,
      doc: latest.current.value,
      extensions: [
        keymap.of([{ key: "Tab", run: acceptCompletion }, ...completionKeymap, ...defaultKeymap]),
        autocompletion({
          override: [
            ({ state, pos, explicit }) => {
              const { scope } = latest.current;
              const found = listCompletions(state.doc.toString(), pos, {
                ...{ scope, isBare },
                isAsked: explicit,
              });
              return found
                ? { from: found.from, options: [...found.options], validFor: /^[$`\w-]*$/ }
                : null;
            },
          ],
        }),
        isBare ? [] : marks,
        showPlaceholder(placeholder),
        EditorView.lineWrapping,
        access.current.of([]),
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          const isTyped = transactions.some((transaction) => !transaction.isUserEvent(fromOutside));
          if (!docChanged || !isTyped) return;
          const text = state.doc.toString();
          typed.current.push(text);
          latest.current.onChange(text);
        }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, [isBare, placeholder]);

  useEffect(() => {
    view.current?.dispatch({
      effects: access.current.reconfigure([
        EditorState.readOnly.of(isReadOnly),
        EditorView.contentAttributes.of({
          "aria-label": label,
          "aria-describedby": describedBy,
          "aria-invalid": String(isInvalid),
          tabindex: "0",
        }),
      ]),
    });
  }, [isReadOnly, label, describedBy, isInvalid]);

  useEffect(() => {
    const editor = view.current;
    const echo = typed.current.lastIndexOf(value);
    typed.current = echo < 0 ? [] : typed.current.slice(echo + 1);
    // More may have been typed since.
    if (echo >= 0) return;
    const change = editor && changeBetween(editor.state.doc.toString(), value);
    if (change) editor.dispatch({ changes: change, userEvent: fromOutside });
  }, [value]);

  return (
    <div
      ref={container}
      className={classes.editor}
      data-bare={isBare}
      data-invalid={isInvalid}
      style={{ minHeight: `calc(${minRows} * 1.35rem + 14px)` }}
    />
  );
};

/** Event of changes that do not come from this field. */
const fromOutside = "wharf.outside";

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { bracketMatching, defaultHighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, linter, lintGutter, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import {
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  placeholder as showPlaceholder,
} from "@codemirror/view";
import { useEffect, useRef } from "react";
import classes from "./json-editor.module.css";
import { markedLines, markRange } from "./json-marked-lines.ts";
import { findPointerRange, findValueRange, parseEditorJson } from "./json-pointer-range.ts";
import type { PointedProblem } from "./problem.ts";
import { changeBetween } from "./text-change.ts";

type JsonEditorProps = {
  label: string;
  value: string;
  onChange?: ((text: string) => void) | undefined;
  /** Refusals of the API, which are shown at the lines of their pointers. */
  problems?: readonly PointedProblem[];
  /** Pointer of a value to scroll to and to mark. */
  marked?: string | undefined;
  /** Shown while there is no text. */
  placeholder?: string | undefined;
  height?: number | string;
};

/** Edits JSON. Import it lazily. Escape, then Tab leaves the editor. */
export const JsonEditor = (props: JsonEditorProps) => {
  const { label, value, onChange, problems = noProblems, marked, height = 560 } = props;
  const { placeholder = "" } = props;
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const changed = useRef(onChange);
  changed.current = onChange;
  const refused = useRef(problems);
  refused.current = problems;
  const markedNow = useRef(marked);
  markedNow.current = marked;
  const isReadOnly = onChange === undefined;
  const access = useRef(new Compartment());
  const latest = useRef(value);
  latest.current = value;
  /** Texts that were typed and have not come back as the value yet. */
  const typed = useRef<string[]>([]);

  useEffect(() => {
    if (!container.current) return;
    const editor = new EditorView({
      parent: container.current,
      doc: latest.current,
      extensions: [
        lineNumbers(),
        history(),
        bracketMatching(),
        highlightActiveLine(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        json(),
        linter((editing) => collectDiagnostics(editing, refused.current)),
        lintGutter(),
        markedLines,
        syntaxHighlighting(defaultHighlightStyle),
        showPlaceholder(placeholder),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        access.current.of(EditorState.readOnly.of(false)),
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          const isTyped = transactions.some((transaction) => !transaction.isUserEvent(fromOutside));
          if (!docChanged || !isTyped) return;
          const text = state.doc.toString();
          typed.current.push(text);
          changed.current?.(text);
        }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, placeholder]);

  useEffect(() => {
    const effects = access.current.reconfigure(EditorState.readOnly.of(isReadOnly));
    view.current?.dispatch({ effects });
  }, [isReadOnly]);

  useEffect(() => {
    const editor = view.current;
    const echo = typed.current.lastIndexOf(value);
    typed.current = echo < 0 ? [] : typed.current.slice(echo + 1);
    // More may have been typed since.
    if (echo >= 0) return;
    const change = editor && changeBetween(editor.state.doc.toString(), value);
    if (!change) return;
    editor.dispatch({ changes: change, userEvent: fromOutside });
    editor.dispatch({ effects: markRange.of(rangeToMark(editor, markedNow.current)) });
  }, [value]);

  const problemsKey = JSON.stringify(problems);
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const shown: readonly PointedProblem[] = JSON.parse(problemsKey);
    const diagnostics = collectDiagnostics(editor, shown);
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
    const [first] = shown;
    if (!first) return;
    const { from } = findPointerRange(parseEditorJson(editor.state), first.pointer);
    editor.dispatch({ effects: EditorView.scrollIntoView(from, { y: "center" }) });
  }, [problemsKey]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const range = rangeToMark(editor, marked);
    editor.dispatch({
      effects: [
        markRange.of(range),
        ...(range ? [EditorView.scrollIntoView(range.from, { y: "start", yMargin: 24 })] : []),
      ],
    });
  }, [marked]);

  return <div ref={container} className={classes.editor} style={{ height }} />;
};

const rangeToMark = (editor: EditorView, pointer: string | undefined) =>
  pointer === undefined ? undefined : findValueRange(parseEditorJson(editor.state), pointer);

const noProblems: readonly never[] = [];

/** Event of changes that come from the form next to the editor. */
const fromOutside = "wharf.outside";

const findSyntaxErrors = jsonParseLinter();

/** Returns the errors of the syntax and the API's refusals, at the lines of their pointers. */
const collectDiagnostics = (
  view: EditorView,
  problems: readonly PointedProblem[],
): Diagnostic[] => {
  if (view.state.doc.length === 0) return [];
  const parsed = parseEditorJson(view.state);
  const refusals = problems.map(
    ({ pointer, detail }): Diagnostic => ({
      ...findPointerRange(parsed, pointer),
      severity: "error",
      message: `${pointer || "/"}: ${detail}`,
    }),
  );
  return [...findSyntaxErrors(view), ...refusals];
};

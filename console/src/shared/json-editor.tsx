import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { bracketMatching, defaultHighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, linter, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import classes from "./json-editor.module.css";
import { rangeOfPointer } from "./json-pointer-range.ts";

type JsonEditorProps = {
  label: string;
  value: string;
  onChange?: ((text: string) => void) | undefined;
  /** Refusals of the API, which are shown at the lines of their pointers. */
  problems?: readonly { pointer: string; detail: string }[];
  height?: number;
};

/** Edits JSON. Import it lazily. Escape, then Tab leaves the editor. */
export const JsonEditor = (props: JsonEditorProps) => {
  const { label, value, onChange, problems = noProblems, height = 560 } = props;
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const changed = useRef(onChange);
  changed.current = onChange;
  const isReadOnly = onChange === undefined;
  const initial = useRef(value);

  useEffect(() => {
    if (!container.current) return;
    const editor = new EditorView({
      parent: container.current,
      doc: initial.current,
      extensions: [
        lineNumbers(),
        history(),
        bracketMatching(),
        highlightActiveLine(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        json(),
        linter(jsonParseLinter()),
        lintGutter(),
        syntaxHighlighting(defaultHighlightStyle),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorState.readOnly.of(isReadOnly),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) changed.current?.(state.doc.toString());
        }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, isReadOnly]);

  useEffect(() => {
    const editor = view.current;
    const length = editor?.state.doc.length ?? 0;
    if (editor && editor.state.doc.toString() !== value) {
      editor.dispatch({ changes: { from: 0, to: length, insert: value } });
    }
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const text = editor.state.doc.toString();
    const diagnostics = problems.map(
      ({ pointer, detail }): Diagnostic => ({
        ...rangeOfPointer(text, pointer),
        severity: "error",
        message: `${pointer}: ${detail}`,
      }),
    );
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
    const [first] = diagnostics;
    if (first) editor.dispatch({ effects: EditorView.scrollIntoView(first.from, { y: "center" }) });
  }, [problems]);

  return <div ref={container} className={classes.editor} style={{ height }} />;
};

const noProblems: readonly never[] = [];

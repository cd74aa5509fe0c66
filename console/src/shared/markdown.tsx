import { lazy, Suspense } from "react";

const MarkdownView = lazy(() =>
  import("./markdown-view.tsx").then(({ MarkdownView: component }) => ({ default: component })),
);

/** Shows Markdown that a model wrote; the text as it is until the parser is loaded. */
export const Markdown = ({ text }: { text: string }) => (
  <Suspense fallback={text}>
    <MarkdownView text={text} />
  </Suspense>
);

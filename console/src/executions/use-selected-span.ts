import { useCallback, useState } from "react";
import type { Span, SpanTree } from "./spans.ts";

/** The span that is shown in detail. */
export type SelectedSpan = {
  span: Span | undefined;
  /** The step that was selected in the graph; it may have no span yet. */
  step: string | undefined;
  select: (span: Span | undefined, step?: string) => void;
};

/**
 * Keeps which span is selected. A step that was selected while it ran has its span afterwards. `onSelect` gets what the
 * user selects.
 */
export const useSelectedSpan = (
  tree: SpanTree,
  atFirst?: Span,
  onSelect?: (span: Span | undefined) => void,
): SelectedSpan => {
  const [chosen, setChosen] = useState<{ span: string | undefined; step: string | undefined }>();
  const select = useCallback(
    (span: Span | undefined, step: string | undefined = span?.stepId) => {
      setChosen({ span: span?.id, step });
      onSelect?.(span);
    },
    [onSelect],
  );
  const ofStep = tree.roots.findLast(({ stepId }) => stepId === chosen?.step);
  return {
    span: chosen ? (tree.find(chosen.span) ?? ofStep) : atFirst,
    step: chosen?.step,
    select,
  };
};

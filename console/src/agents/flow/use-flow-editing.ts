import { useMemo } from "react";
import { connect } from "../../flow-graph/choices.ts";
import { disconnectSteps, removeStep } from "../../flow-graph/edit-flow.ts";
import type { FlowEditing, InsertPlace } from "../../flow-graph/editing.ts";
import type { DocumentState } from "./use-document.ts";

/** Returns the changes that the graph makes. */
export const useFlowEditing = (
  change: DocumentState["change"],
  insert: (place: InsertPlace) => void,
): FlowEditing =>
  useMemo(
    () => ({
      connect: (connected) => change((draft) => connect(draft, connected)),
      disconnect: (source, target, on) =>
        change((draft) => disconnectSteps(draft, { source, target, on })),
      remove: (stepId) => change((draft) => removeStep(draft, stepId)),
      insert,
    }),
    [change, insert],
  );

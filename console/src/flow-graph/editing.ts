import { createContext, use } from "react";
import type { Connected } from "./choices.ts";

/** Where a step is added: between two steps, after one, or anywhere. */
export type InsertPlace =
  | { type: "between"; connected: Connected }
  | { type: "after"; source: string; handle?: string | undefined }
  | { type: "anywhere" };

/** Changes of a flow by its graph. */
export type FlowEditing = {
  connect: (connected: Connected) => void;
  /** Removes an edge; `on` is that of the edge. */
  disconnect: (source: string, target: string, on: unknown) => void;
  remove: (stepId: string) => void;
  /** Asks for the type of a step to add. */
  insert: (place: InsertPlace) => void;
};

/** The changes, for the steps and edges of a graph; undefined where it is only shown. */
export const EditingContext = createContext<FlowEditing | undefined>(undefined);

/** Returns the changes of the graph around. */
export const useGraphEditing = (): FlowEditing | undefined => use(EditingContext);

import type { Json, JsonObject } from "../../values/json/json.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import type { ConsentRequest } from "../tools/tool.ts";

/** An action that an approver may choose. */
export type ApprovalAction = { readonly id: string; readonly label: string };

/** The people who may decide an approval; all absent for the Owners and Editors of the agent. */
export type Approvers = {
  /** Ids or e-mail addresses of users. */
  readonly users?: readonly string[];
  readonly roles?: readonly ("Owner" | "Editor" | "Viewer")[];
  /** Addresses that get a link. */
  readonly emails?: readonly string[];
  readonly chat?: { readonly connectorId: string; readonly conversationId: string };
};

/** A question to a person. */
export type ApprovalRequest = {
  /** `Tool`: whether a model's call may be made. `Authorization`: the consent that a tool needs. */
  readonly kind: "Step" | "Tool" | "Authorization";
  readonly title: string;
  readonly message: string | null;
  readonly data: Json;
  /** Values that the approver enters. */
  readonly fields: readonly ParameterDescriptor[];
  readonly actions: readonly ApprovalAction[];
  readonly approvers: Approvers;
  readonly minApprovals: number;
  readonly allowStarter: boolean;
  /** `INTEGRATION/TOOL` and the arguments of the call; null for a step. */
  readonly toolId: string | null;
  readonly arguments: JsonObject | null;
  /** Hash of the tool and of these arguments before secrets were masked; null for a step. */
  readonly argumentsHash: string | null;
  /** JSON Schema of the arguments; null for a step, and where it is large. */
  readonly argumentsSchema: JsonObject | null;
  /** The connection that needs consent, and the page on which a person begins to give it; absent otherwise. */
  readonly connectionId?: string;
  readonly authorizeUrl?: string;
  readonly consent?: Pick<ConsentRequest, "owner" | "scopes">;
};

/** An event that a step waits for. */
export type EventRequest = {
  readonly webhookId: string;
  readonly eventTypes: readonly string[] | null;
  /** An expression that is true for the event; null for any event. */
  readonly match: string | null;
  /** Values of the expression next to the event's. */
  readonly scope: JsonObject;
  readonly lookbackSeconds: number;
};

/** Kinds of waits. `Timer`: ends by its time alone. */
export const waitKinds = ["Timer", "Approval", "Event", "Callback"] as const;

/** A wait that a step requests. `until`: when it ends without an answer, Unix milliseconds. */
export type WaitRequest = { readonly until: number } & (
  | { readonly kind: "Timer" }
  | { readonly kind: "Approval"; readonly approval: ApprovalRequest }
  | { readonly kind: "Event"; readonly event: EventRequest }
  | { readonly kind: "Callback" }
);

/** An open wait. */
export type OpenWait = WaitRequest & {
  /** The step, or the item of a ForEach, that waits. */
  readonly stepId: string;
  /** Where in the run it waits, the same in every run of the execution. */
  readonly path: string;
};

/** The end of a wait. Times in Unix milliseconds. */
export type WaitEnd = {
  readonly since: number;
  readonly at: number;
  /** The answer that it waited for; absent where its time ended it. */
  readonly answer?: Json;
  /** The hash of the approval that it waited for. */
  readonly argumentsHash?: string;
};

/** The waits of an execution. */
export type Waits = {
  /** Those that ended before the run, by path. */
  readonly ended: ReadonlyMap<string, WaitEnd>;
  /** Those that were opened before the run, or in it, and have not ended, by path. */
  readonly opened: ReadonlyMap<string, Pick<OpenWait, "kind" | "until">>;
  /** Finds the end of a wait for a callback, which may come before its step is reached. */
  findEarly(path: string): Promise<WaitEnd | undefined>;
  /**
   * Takes one of the places of open waits for a path. Returns undefined when it has one, otherwise a promise that resolves
   * when another wait has left.
   */
  enter(path: string): Promise<void> | undefined;
  /** Gives the place of a path back: its wait has ended, or no step waits for it any more. */
  leave(path: string): void;
  /**
   * Opens a wait that a step has reached. Resolves if it ends while other steps run; `over` is aborted when nothing else
   * can run, and when the run stops. Throws a StepError for one that may not be opened.
   */
  open(wait: OpenWait, over: AbortSignal): Promise<WaitEnd>;
  /** As `open`, for a wait of `opened`, or one that this run has opened before. */
  reopen(path: string, over: AbortSignal): Promise<WaitEnd>;
};

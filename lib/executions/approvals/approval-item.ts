import * as z from "zod";
import { storedJson } from "../../platform/db/stored-json.ts";
import { Timestamp, Uuid } from "../../platform/http/ids.ts";
import type { Json } from "../../values/json/json.ts";
import { ParameterDescriptor } from "../../values/json/parameters.ts";

const anyJson = z.custom<Json>((value) => value !== undefined);

/** Statuses of an approval. */
export const approvalStatuses = ["Pending", "Decided", "TimedOut", "Cancelled"] as const;

/** A decision of one person. */
export const ApprovalDecision = z.object({
  action: z.string(),
  fields: storedJson(z.record(z.string(), anyJson)),
  comment: z.string().nullable(),
  /** The e-mail address, or the id of a user without one; or who decided elsewhere, such as in a chat. */
  decidedBy: z.string(),
  /** Names of the person: one who decides again has one of them. */
  people: z.array(z.string()),
  /** SHA-256 of the arguments that replace those of the tool; null for none. */
  argumentsHash: z.string().nullable(),
  decidedAt: Timestamp,
});
export type ApprovalDecision = z.output<typeof ApprovalDecision>;

/** The people who may decide; all absent for the Owners and Editors of the agent. */
export const StoredApprovers = z.object({
  users: z.array(z.string()).readonly().optional(),
  roles: z
    .array(z.enum(["Owner", "Editor", "Viewer"]))
    .readonly()
    .optional(),
  emails: z.array(z.string()).readonly().optional(),
  chat: z.object({ connectorId: z.string(), conversationId: z.string() }).optional(),
});

const ExecutionName = z.object({ agentId: z.string(), executionId: z.string() });

/** A stored approval: what is asked, who may decide, and what they decided. Times in Unix milliseconds. */
export const ApprovalItem = z.object({
  id: Uuid,
  kind: z.enum(["Step", "Tool"]),
  agentId: z.string(),
  agentRevision: z.int(),
  /** The execution that waits. */
  executionId: z.string(),
  /** The execution that is continued: itself, or its outermost caller. */
  root: ExecutionName,
  /** Where in the run it waits. */
  path: z.string(),
  stepId: z.string(),
  title: z.string(),
  message: z.string().nullable(),
  data: storedJson(anyJson),
  fields: z.array(ParameterDescriptor),
  actions: z.array(z.object({ id: z.string(), label: z.string() })),
  toolId: z.string().nullable(),
  arguments: storedJson(z.record(z.string(), anyJson).nullable()),
  /** Hash of the tool and of the arguments before they were masked; null for a step. */
  argumentsHash: z.string().nullable(),
  /** JSON Schema of the arguments; null for a step, and where it is large. */
  argumentsSchema: storedJson(z.record(z.string(), anyJson).nullable()),
  approvers: StoredApprovers,
  minApprovals: z.int(),
  allowStarter: z.boolean(),
  /** Id of the user or key that started the execution, or name of the chat user; null where another trigger did. */
  starterId: z.string().nullable(),
  decisions: z.array(ApprovalDecision),
  status: z.enum(approvalStatuses),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  decidedAt: Timestamp.nullable(),
  /** Unix seconds. */
  ttl: z.int(),
});
export type ApprovalItem = z.output<typeof ApprovalItem>;

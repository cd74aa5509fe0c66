import * as z from "zod";
import { approvalStatuses } from "../executions/approvals/approval-store.ts";
import { ChosenId, Timestamp, Uuid } from "../platform/http/ids.ts";
import { pageSchema } from "../platform/http/paging.ts";
import { CollaboratorRole } from "../tenancy/collaborator/role.ts";
import { anyNames } from "../values/json/limited-record.ts";
import { ParameterDescriptor } from "../values/json/parameters.ts";

/** Status of an approval. All but the first are final. */
export const ApprovalStatus = z.enum(approvalStatuses).meta({
  id: "ApprovalStatus",
  description:
    "`Decided`: by people; `TimedOut`: it was not decided in time; `Cancelled`: its execution has ended. All but `Pending` are final.",
});
export type ApprovalStatus = z.output<typeof ApprovalStatus>;

const action = z.string().meta({ description: "Id of an action.", example: "approve" });
const values = anyNames(z.unknown());
const comment = z.string().max(1_000);

const Decision = z
  .object({
    action,
    fields: values,
    comment: z.string().nullable(),
    decidedBy: z.string().meta({
      description:
        "E-mail address, or id, of a user or key; the name of a link or a chat user; `timeout`.",
      example: "ada@example.com",
    }),
    decidedAt: Timestamp,
  })
  .meta({ id: "ApprovalDecision" });

const Approvers = z
  .object({
    users: z
      .array(z.string())
      .nullable()
      .meta({ description: "Ids or e-mail addresses of users." }),
    roles: z
      .array(CollaboratorRole)
      .nullable()
      .meta({ description: "Roles of the agent's collaborators." }),
    emails: z
      .array(z.string())
      .nullable()
      .meta({ description: "E-mail addresses that receive a link." }),
    chat: z
      .object({ connectorId: z.string(), conversationId: z.string() })
      .nullable()
      .meta({ description: "The conversation that receives the question." }),
  })
  .meta({ id: "Approvers" });

/** A question to people, for which an execution waits. */
export const Approval = z
  .object({
    id: Uuid,
    kind: z.enum(["Step", "Tool", "Authorization"]).meta({
      description:
        "`Tool`: whether a call of a model is made. `Authorization`: a tool needs a person's consent, at authorizeUrl.",
    }),
    agentId: ChosenId,
    agentRevision: z.int(),
    executionId: Uuid.meta({ description: "The execution that waits." }),
    stepId: z.string(),
    title: z.string(),
    message: z.string().nullable(),
    data: z.unknown(),
    fields: z.array(ParameterDescriptor).meta({ description: "Values that a decision has." }),
    actions: z
      .array(z.object({ id: z.string(), label: z.string() }))
      .meta({ description: "A decision chooses one of them." }),
    toolId: z.string().nullable(),
    arguments: values.nullable().meta({ description: "Arguments of the tool." }),
    connectionId: z.string().nullable().meta({ description: "The connection that is needed." }),
    authorizeUrl: z.string().nullable().meta({
      description: "The page on which a person gives consent; its execution then continues.",
    }),
    approvers: Approvers,
    minApprovals: z.int().meta({
      description: "People who have to choose an action. One who chooses `reject` is enough.",
    }),
    decisions: z.array(Decision).meta({ description: "Oldest first." }),
    status: ApprovalStatus,
    createdAt: Timestamp,
    expiresAt: Timestamp,
    decidedAt: Timestamp.nullable(),
  })
  .meta({ id: "Approval" });
export type Approval = z.output<typeof Approval>;

/** A page of approvals, newest first. */
export const ApprovalPage = pageSchema(Approval, "ApprovalPage");

/** Request body that decides an approval. */
export const DecideApprovalBody = z
  .object({
    action,
    fields: values.nullish().meta({ description: "Values of the approval's `fields`, by name." }),
    comment: comment.nullish(),
    arguments: values.nullish().meta({
      description: "Replaces all arguments of the tool. Only for an approval of the kind `Tool`.",
    }),
  })
  .meta({ id: "DecideApprovalBody", example: { action: "approve", comment: "Go ahead." } });
export type DecideApprovalBody = z.output<typeof DecideApprovalBody>;

/** Request body that creates a link to an approval; may be empty. */
export const CreateApprovalLinkBody = z
  .object({
    expiresInSeconds: z.int().min(60).max(31_536_000).nullish().meta({
      description: "A week by default. The link expires with the approval at the latest.",
    }),
  })
  .default({})
  .meta({ id: "CreateApprovalLinkBody", example: { expiresInSeconds: 86_400 } });
export type CreateApprovalLinkBody = z.output<typeof CreateApprovalLinkBody>;

/** A page on which a person without an account decides an approval. */
export const ApprovalLink = z
  .object({
    url: z.string().nullable().meta({
      description:
        "Shown only in this response. The address of the page. Secret: whoever has it decides in the caller's name.",
    }),
    expiresAt: Timestamp,
  })
  .meta({ id: "ApprovalLink" });
export type ApprovalLink = z.output<typeof ApprovalLink>;

/** The signed end of a link's path. */
export const ApprovalToken = z.string().max(2_048).meta({
  description: "The signature of the link. Secret.",
  example: "WyJhcHByb3ZhbCJd.c2lnbmF0dXJl",
});

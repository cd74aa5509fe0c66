import * as z from "zod";
import { SessionId } from "../executions/schemas.ts";
import { optionalInteger, queryFlag, queryInteger } from "../platform/http/paging.ts";
import { A2aTask, historyQuery, taskStates } from "./schemas.ts";

const defaultPageSize = 50;
const maxPageSize = 100;
const maxSkip = 2_147_483_647;

/** The first value of the enumeration, which clients made of protocol buffers send for none. */
const anyState = "TASK_STATE_UNSPECIFIED";

const status = z
  .enum([...taskStates, anyState])
  .transform((state) => (state === anyState ? undefined : state))
  .optional()
  .meta({ description: "Returns only tasks in this state." });
const contextId = SessionId.optional().meta({ description: "Returns only tasks of this context." });

const time = z.iso
  .datetime({ offset: true, error: "must be an ISO 8601 time with its offset, or Z" })
  .transform(Date.parse)
  .optional();

/** Query parameters of a list of tasks. */
export const listTasksQuery = {
  contextId,
  status,
  pageSize: queryInteger(1, maxPageSize, defaultPageSize, "Number of tasks in a page."),
  pageToken: optionalInteger(0, maxSkip, "`nextPageToken` of the previous page."),
  ...historyQuery,
  statusTimestampAfter: time.meta({
    description: "Returns only tasks that began or ended at this time or after it.",
    override: { type: "string", format: "date-time" },
  }),
  lastUpdatedAfter: time.meta({
    description: "`statusTimestampAfter` by the name that the SDK for Go sends.",
    override: { type: "string", format: "date-time" },
  }),
  includeArtifacts: queryFlag("Whether the tasks have their artifacts."),
} as const;

const none = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === "" || value === null ? undefined : value), schema);

/** Parameters of a list of tasks in JSON-RPC. */
export const ListTasksParams = z.object({
  contextId: none(contextId),
  status: none(status),
  pageSize: none(z.int().min(1).max(maxPageSize).default(defaultPageSize)),
  pageToken: none(listTasksQuery.pageToken),
  historyLength: none(z.int().min(0).max(maxSkip).optional()),
  statusTimestampAfter: none(time),
  includeArtifacts: none(z.boolean().default(false)),
});
export type ListTasksParams = z.output<typeof ListTasksParams>;

/** A page of tasks, latest start first. */
export const ListTasksResponse = z
  .object({
    tasks: z.array(A2aTask),
    nextPageToken: z.string().meta({ description: "Empty on the last page." }),
    pageSize: z.int(),
    totalSize: z.int().meta({
      description: "The tasks up to the end of this page, and one more if there are others.",
    }),
  })
  .meta({ id: "A2aListTasksResponse" });
export type ListTasksResponse = z.output<typeof ListTasksResponse>;

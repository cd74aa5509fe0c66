import * as z from "zod";
import type { SourceApi, SourceRequest } from "./source-server.ts";

/** An issue of a fake: fields in Jira's format, and all comments. */
export type JiraIssue = {
  readonly key: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly comments?: readonly { readonly id: string; readonly body: unknown }[];
};

const Body = z.object({
  jql: z.string(),
  nextPageToken: z.string().optional(),
  startAt: z.number().optional(),
});

const embeddedComments = 2;
const commentsPerPage = 2;

/** Returns the parameters of a request: its query, or the body of a POST. */
const asked = ({ method, query, body }: SourceRequest) =>
  Body.safeParse(
    method === "POST"
      ? JSON.parse(body)
      : {
          jql: query.get("jql") ?? undefined,
          nextPageToken: query.get("nextPageToken") ?? undefined,
        },
  ).data;

/** Jira Cloud: one issue per page, the first comments embedded, basic authentication. */
export const jiraCloud =
  (issues: readonly JiraIssue[], files: Readonly<Record<string, string>> = {}): SourceApi =>
  (request) => {
    const { path, headers, query } = request;
    const credentials = Buffer.from("ada@example.com:jira-token").toString("base64");
    if (headers.authorization !== `Basic ${credentials}`) return { status: 401 };
    if (path === "/rest/api/3/search/jql") {
      const at = Number(asked(request)?.nextPageToken ?? 0);
      const issue = issues[at];
      const isLast = at + 1 >= issues.length;
      return {
        body: {
          issues: issue === undefined ? [] : [withComments(issue)],
          isLast,
          ...(isLast ? {} : { nextPageToken: String(at + 1) }),
          names: { customfield_10050: "Release notes", summary: "Summary" },
          schema: {},
        },
      };
    }
    const comments = /^\/rest\/api\/3\/issue\/([^/]+)\/comment$/.exec(path)?.[1];
    if (comments !== undefined) {
      const all = issues.find(({ key }) => key === comments)?.comments ?? [];
      const startAt = Number(query.get("startAt"));
      const page = all.slice(startAt, startAt + commentsPerPage);
      return { body: { comments: page, startAt, maxResults: commentsPerPage, total: all.length } };
    }
    const file = /^\/rest\/api\/3\/attachment\/content\/(\d+)$/.exec(path)?.[1];
    return file === undefined ? undefined : { body: files[file] ?? "" };
  };

const withComments = ({ key, fields, comments = [] }: JiraIssue) => ({
  id: "10001",
  key,
  fields: {
    ...fields,
    comment: { comments: comments.slice(0, embeddedComments), total: comments.length, startAt: 0 },
  },
});

/** Jira Data Center below a path: no version 3, texts as markup and HTML, bearer token. */
export const jiraServer =
  (issues: readonly { readonly key: string; readonly [member: string]: unknown }[]): SourceApi =>
  (request) => {
    if (request.path !== "/jira/rest/api/2/search" || request.method !== "POST") return undefined;
    if (request.headers.authorization !== "Bearer pat") return { status: 401 };
    const startAt = asked(request)?.startAt ?? 0;
    const page = issues.slice(startAt, startAt + 1);
    return {
      body: {
        issues: page,
        startAt,
        maxResults: 1,
        total: issues.length,
        names: { customfield_1: "Notes" },
        schema: {
          customfield_1: {
            type: "string",
            custom: "com.atlassian.jira.plugin.system.customfieldtypes:textarea",
          },
        },
      },
    };
  };

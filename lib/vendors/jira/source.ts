import * as z from "zod";
import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import { addressBelow, authorization } from "../shared/source/address.ts";
import { createPageGuard, fetchJson, isMissing, parseItems } from "../shared/source/fetch-json.ts";
import { textMember } from "../shared/source/member.ts";
import { readAhead } from "../shared/source/read-ahead.ts";
import { isTextFile, readAttachment } from "../shared/source/text-file.ts";
import { defineSource, type Source, type SourceContext, type SourceDocument } from "../source.ts";
import { Issue, issueTexts, type JiraReading } from "./issue.ts";
import { paragraphs } from "./paragraphs.ts";

const Parameters = z.object({
  baseUrl: z.string().min(1).meta({
    displayName: "Site",
    description: "The address of the Jira site, with its path if it has one.",
    example: "https://example.atlassian.net",
  }),
  jql: z.string().min(1).meta({
    displayName: "JQL query",
    description: "The issues to read. Jira Cloud rejects a query without restrictions.",
    example: "project = DOCS ORDER BY key",
  }),
  token: z.string().min(1).meta({
    displayName: "Token",
    description: "An API token of the e-mail's account, or a bearer or personal access token.",
    secret: true,
    example: "jira-token",
  }),
  email: z.string().optional().meta({
    displayName: "E-mail",
    description: "The account of the API token. Without it the token is sent as a bearer token.",
    example: "ada@example.com",
  }),
});
type Parameters = z.output<typeof Parameters>;

const IssuePage = z.object({
  issues: z.array(z.unknown()),
  nextPageToken: z.string().nullish(),
  isLast: z.boolean().nullish(),
  total: z.number().nullish(),
  names: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  schema: z.record(z.string(), z.unknown()).nullish().catch(undefined),
});
type IssuePage = z.output<typeof IssuePage>;

const Attachment = z.object({
  id: z.string(),
  filename: z.string(),
  mimeType: z.string().nullish().catch(undefined),
  content: z.string().nullish().catch(undefined),
});

const issuesPerPage = 50;
/** A longer query is sent as a body, because servers limit the length of an address. */
const maxQueryLength = 1500;

type Reading = Parameters & JiraReading;

/** Creates a source of issues of Jira Cloud or Data Center by JQL, one document per issue and per text attachment. */
export const createSource = (): Source<typeof Parameters> =>
  defineSource({
    key: "jira",
    displayName: "Jira",
    parameters: Parameters,
    read: (parameters, context) => readAhead(documents(parameters, context), context),
  });

async function* documents(
  parameters: Parameters,
  context: SourceContext,
): AsyncGenerator<SourceDocument> {
  const headers = authorization(parameters.token, parameters.email);
  const cloud: Reading = { ...parameters, context, headers, version: 3 };
  let first: IssuePage;
  try {
    first = await searchCloud(cloud, undefined);
  } catch (error) {
    if (!isMissing(error)) throw error;
    yield* readServer({ ...cloud, version: 2 });
    return;
  }
  yield* readCloud(cloud, first);
}

async function* readCloud(reading: Reading, first: IssuePage): AsyncGenerator<SourceDocument> {
  const guard = createPageGuard(reading.baseUrl);
  let page = first;
  for (;;) {
    yield* toDocuments(reading, page);
    const token = page.nextPageToken ?? "";
    if (page.isLast === true || token === "") return;
    guard(token);
    page = await searchCloud(reading, token);
  }
}

/** See developer.atlassian.com/cloud/jira/platform/rest/v3, "Search for issues using JQL enhanced search". */
const searchCloud = (reading: Reading, nextPageToken: string | undefined): Promise<IssuePage> => {
  const { context, headers, baseUrl, jql } = reading;
  const paging: Record<string, string> = nextPageToken === undefined ? {} : { nextPageToken };
  const path = "/rest/api/3/search/jql";
  const maxResults = issuesPerPage;
  if (jql.length > maxQueryLength) {
    const body = { jql, maxResults, fields: ["*all"], expand: "names,schema", ...paging };
    return post(reading, path, body);
  }
  const query = { jql, maxResults: String(maxResults), fields: "*all", expand: "names,schema" };
  const url = addressBelow(baseUrl, path, { ...query, ...paging });
  return fetchJson(context, url, IssuePage, { headers });
};

const post = ({ context, headers, baseUrl }: Reading, path: string, body: unknown) =>
  fetchJson(context, addressBelow(baseUrl, path), IssuePage, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

async function* readServer(reading: Reading): AsyncGenerator<SourceDocument> {
  const guard = createPageGuard(reading.baseUrl);
  for (let startAt = 0; ; ) {
    const page = await post(reading, "/rest/api/2/search", {
      jql: reading.jql,
      startAt,
      maxResults: issuesPerPage,
      fields: ["*all"],
      expand: ["names", "schema", "renderedFields"],
    });
    if (page.issues.length === 0) return;
    guard(textMember(page.issues[0], "key"));
    yield* toDocuments(reading, page);
    startAt += page.issues.length;
    if (startAt >= (page.total ?? Number.POSITIVE_INFINITY)) return;
  }
}

async function* toDocuments(reading: Reading, page: IssuePage): AsyncGenerator<SourceDocument> {
  for (const issue of parseItems(Issue, page.issues)) {
    const { key } = issue;
    const link = addressBelow(reading.baseUrl, `/browse/${encodeURIComponent(key)}`).href;
    yield {
      fileName: key,
      id: issue.id || key,
      link,
      version: textMember(issue.fields, "updated") || undefined,
      metadata: { key, project: key.split("-")[0] ?? key },
      text: paragraphs(issueTexts(reading, issue, page)),
    };
    const attachments = z.array(z.unknown()).catch([]).parse(issue.fields.attachment);
    for (const attachment of parseItems(Attachment, attachments)) {
      const { filename, mimeType } = attachment;
      const url = fileUrl(reading, attachment);
      if (url === undefined || !isTextFile(mimeType, filename)) continue;
      const fileName = `${issue.key}/${filename}`;
      const file = { url, mediaType: mimeType, fileName, headers: reading.headers };
      const id = `${issue.id || key}/${attachment.id}`;
      // Jira's attachments never change.
      const version = attachment.id;
      yield { fileName, id, link, version, text: readAttachment(reading.context, file) };
    }
  }
}

/** Returns an attachment's address: by its id on Cloud, its own address on Data Center if on the same site. */
const fileUrl = (
  { baseUrl, version }: Reading,
  { id, content }: z.output<typeof Attachment>,
): URL | undefined => {
  if (version === 3) {
    const path = `/rest/api/3/attachment/content/${encodeURIComponent(id)}`;
    return addressBelow(baseUrl, path, { redirect: "false" });
  }
  const url = content ? parseAddress(content) : undefined;
  return url?.origin === new URL(baseUrl).origin ? url : undefined;
};

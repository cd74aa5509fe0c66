import * as z from "zod";
import type { Charge } from "../../values/text/charge.ts";
import { htmlToText } from "../../values/text/html-to-text.ts";
import { addressBelow } from "../shared/source/address.ts";
import { createPageGuard, fetchJson } from "../shared/source/fetch-json.ts";
import { member, textMember } from "../shared/source/member.ts";
import type { SourceContext } from "../source.ts";
import { adfToText } from "./adf-to-text.ts";

/** Site to read. */
export type JiraReading = {
  readonly context: SourceContext;
  readonly headers: Readonly<Record<string, string>>;
  readonly baseUrl: string;
  /** API version: 3 on Cloud; 2 on Data Center, which renders its markup as HTML on request. */
  readonly version: 2 | 3;
};

/** An issue of a search result. */
export const Issue = z.object({
  id: z.string().catch(""),
  key: z.string(),
  fields: z.record(z.string(), z.unknown()),
  renderedFields: z.record(z.string(), z.unknown()).nullish().catch(undefined),
});
export type Issue = z.output<typeof Issue>;

const Comments = z.object({
  comments: z.array(z.unknown()),
  total: z.number().nullish().catch(undefined),
});
const commentsPerPage = 100;

/** Yields the texts of an issue: summary, description, environment, multi-line custom fields, comments. */
export async function* issueTexts(
  reading: JiraReading,
  issue: Issue,
  page: { readonly names?: unknown; readonly schema?: unknown },
): AsyncGenerator<string> {
  const { fields } = issue;
  yield textMember(fields, "summary");
  const { charge } = reading.context;
  yield fieldText(issue, "description", charge);
  yield fieldText(issue, "environment", charge);
  for (const id of Object.keys(fields)) {
    if (!id.startsWith("customfield_") || !isRich(fields[id], member(page.schema, id))) continue;
    const text = fieldText(issue, id, charge);
    const name = textMember(page.names, id);
    if (text !== "") yield name === "" ? text : `${name}\n${text}`;
  }
  yield* comments(reading, issue);
}

/** Returns whether a field is multi-line: a document on Cloud, a "textarea" on Data Center. */
const isRich = (value: unknown, schema: unknown): boolean =>
  textMember(value, "type") === "doc" || textMember(schema, "custom").endsWith(":textarea");

const fieldText = ({ fields, renderedFields }: Issue, id: string, charge: Charge): string => {
  const rendered = textMember(renderedFields, id);
  return rendered === "" ? adfOrPlain(fields[id], charge) : htmlToText(rendered, charge);
};

const adfOrPlain = (value: unknown, charge: Charge): string =>
  typeof value === "string" ? value : adfToText(value, charge);

const commentText = (comment: unknown, charge: Charge): string => {
  const rendered = textMember(comment, "renderedBody");
  return rendered === ""
    ? adfOrPlain(member(comment, "body"), charge)
    : htmlToText(rendered, charge);
};

/** Yields the comments of an issue. A search result contains only some; if there are more, pages through all. */
async function* comments(reading: JiraReading, issue: Issue): AsyncGenerator<string> {
  const { charge } = reading.context;
  const embedded = Comments.safeParse(issue.fields.comment).data;
  if (embedded === undefined) return;
  if ((embedded.total ?? 0) <= embedded.comments.length) {
    const rendered = Comments.safeParse(issue.renderedFields?.comment).data?.comments ?? [];
    for (const [index, comment] of embedded.comments.entries()) {
      const html = textMember(rendered[index], "body");
      yield html === "" ? commentText(comment, charge) : htmlToText(html, charge);
    }
    return;
  }
  const { context, headers, baseUrl, version } = reading;
  const guard = createPageGuard(baseUrl);
  const path = `/rest/api/${version}/issue/${encodeURIComponent(issue.key)}/comment`;
  for (let startAt = 0; ; ) {
    const query = { startAt: String(startAt), maxResults: String(commentsPerPage) };
    const more = version === 2 ? { ...query, expand: "renderedBody" } : query;
    const page = await fetchJson(context, addressBelow(baseUrl, path, more), Comments, { headers });
    if (page.comments.length === 0) return;
    guard(textMember(page.comments[0], "id"));
    for (const comment of page.comments) yield commentText(comment, charge);
    startAt += page.comments.length;
    if (startAt >= (page.total ?? Number.POSITIVE_INFINITY)) return;
  }
}

import * as z from "zod";
import type { SourceApi, SourceRequest, SourceResponse } from "./source-server.ts";

/** Returns rich text in Notion's format. */
export const notionText = (...texts: readonly string[]) =>
  texts.map((content) => ({ type: "text", text: { content }, plain_text: content }));

/** Returns a block in Notion's format; nested blocks are separate. */
export const notionBlock = (
  id: string,
  type: string,
  content: Readonly<Record<string, unknown>>,
  has_children = false,
) => ({ object: "block", id, type, has_children, [type]: content });

/** Content of a fake. */
export type NotionContent = {
  /** Data sources of the database `db`, with their pages; without any, a database of the older API. */
  readonly dataSources?: Readonly<Record<string, readonly unknown[]>>;
  readonly pages?: readonly unknown[];
  /** Blocks by their page or parent block; a missing one returns 404. */
  readonly blocks: Readonly<Record<string, readonly unknown[]>>;
};

const Body = z.object({ start_cursor: z.string().optional() }).catch({});

/** Returns a list with one item per page. */
const list = (items: readonly unknown[], request: SourceRequest): SourceResponse => {
  const inBody = request.method === "POST" ? Body.parse(JSON.parse(request.body)) : {};
  const at = Number(inBody.start_cursor ?? request.query.get("start_cursor") ?? 0);
  const has_more = at + 1 < items.length;
  return {
    body: {
      object: "list",
      results: items.slice(at, at + 1),
      has_more,
      next_cursor: has_more ? String(at + 1) : null,
    },
  };
};

/** Notion with one database. */
export const notionApi =
  ({ dataSources, pages = [], blocks }: NotionContent): SourceApi =>
  (request) => {
    const { path, method, headers } = request;
    const unauthorized = { object: "error", status: 401, code: "unauthorized" };
    if (headers.authorization !== "Bearer ntn_token") return { status: 401, body: unauthorized };
    if (headers["notion-version"] === undefined) return { status: 400 };
    if (path === "/v1/databases/db" && method === "GET") {
      const data_sources = dataSources && Object.keys(dataSources).map((id) => ({ id, name: id }));
      return { body: { object: "database", id: "db", data_sources } };
    }
    if (path === "/v1/databases/db/query" && dataSources === undefined) return list(pages, request);
    const source = /^\/v1\/data_sources\/([\w-]+)\/query$/.exec(path)?.[1];
    const found = source === undefined ? undefined : dataSources?.[source];
    if (found !== undefined) return list(found, request);
    const parent = /^\/v1\/blocks\/([\w-]+)\/children$/.exec(path)?.[1];
    const children = parent === undefined ? undefined : blocks[parent];
    return children === undefined ? undefined : list(children, request);
  };

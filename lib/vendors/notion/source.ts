import type { Client } from "@notionhq/client";
import * as z from "zod";
import { createTextWriter, type TextWriter } from "../../values/text/text-writer.ts";
import { createPageGuard, invalidResponse, isMissing } from "../shared/source/fetch-json.ts";
import { member, textMember } from "../shared/source/member.ts";
import { readAhead } from "../shared/source/read-ahead.ts";
import {
  defineSource,
  type Source,
  type SourceContext,
  type SourceDocument,
  type SourceSettings,
} from "../source.ts";
import { callNotion, createClient } from "./client.ts";
import { pageTexts, pageTitle, writeBlock } from "./text.ts";

/** Ids become part of paths, so they must not contain path characters. */
const isId = (value: string): boolean => /^[\w-]{1,64}$/.test(value);
const Id = z.string().refine(isId);

const Parameters = z.object({
  databaseId: z
    .string()
    .min(1)
    .refine(isId, { error: "Must be an id: 32 hexadecimal digits, with or without hyphens." })
    .meta({
      displayName: "Database",
      description: "The ID of the database, or of one of its data sources, as in its address.",
      example: "d9824bdc-8445-4327-be8b-5b47500af6ce",
    }),
  token: z.string().min(1).meta({
    displayName: "Token",
    description: "The secret of an integration that the database is shared with.",
    secret: true,
    example: "ntn_example",
  }),
});

const Page = z.object({
  results: z.array(z.unknown()),
  has_more: z.boolean().nullish(),
  next_cursor: z.string().nullish(),
});
type Page = z.output<typeof Page>;
const Database = z.object({
  data_sources: z
    .array(z.object({ id: Id }))
    .nullish()
    .catch(undefined),
});
const Listed = z.object({ object: z.literal("page"), id: Id });

const listItems = new Set(["bulleted_list_item", "numbered_list_item", "to_do"]);
/** Blocks that are separate pages. */
const otherPages = new Set(["child_page", "child_database"]);

const itemsPerPage = 100;
/** Deeper blocks are skipped; also bounds synced blocks that contain each other. */
const maxBlockDepth = 32;
type Reading = { readonly client: Client; readonly url: string };

/** Creates a source of a Notion database's pages: one document per page, with title, text properties and blocks. */
export const createSource = ({
  SOURCE_URL_NOTION: apiUrl = "https://api.notion.com",
}: SourceSettings = {}): Source<typeof Parameters> =>
  defineSource({
    key: "notion",
    displayName: "Notion",
    parameters: Parameters,
    read: ({ databaseId, token }, context) =>
      readAhead(documents({ token, apiUrl, context }, databaseId), context),
  });

type Access = { readonly token: string; readonly apiUrl: string; readonly context: SourceContext };

async function* documents(
  { token, apiUrl, context }: Access,
  databaseId: string,
): AsyncGenerator<SourceDocument> {
  const reading = { client: await createClient(token, apiUrl, context), url: apiUrl };
  for (const query of await listQueries(reading, databaseId)) {
    for await (const page of items(reading, query)) {
      const { data } = Listed.safeParse(page);
      if (data === undefined) continue;
      // No version: the time of the last change has minutes only, and a synced block changes without it.
      yield {
        fileName: pageTitle(page) || data.id,
        id: data.id,
        link: textMember(page, "url") || undefined,
        text: streamText(reading, page, data.id),
      };
    }
  }
}

type Query = (cursor: string | undefined) => Promise<unknown>;

/** Returns a query per data source, which databases have since API version 2025-09-03. */
const listQueries = async ({ client, url }: Reading, id: string): Promise<Query[]> => {
  const ofDataSource =
    (data_source_id: string): Query =>
    (start_cursor) =>
      client.dataSources.query({ data_source_id, page_size: itemsPerPage, ...from(start_cursor) });
  let found: unknown;
  try {
    found = await callNotion(url, client.databases.retrieve({ database_id: id }));
  } catch (error) {
    if (isMissing(error)) return [ofDataSource(id)];
    throw error;
  }
  const database = Database.safeParse(found);
  if (!database.success) throw invalidResponse(url);
  const ofDatabase: Query = (start_cursor) =>
    client.request({
      path: `databases/${id}/query`,
      method: "post",
      body: { page_size: itemsPerPage, ...from(start_cursor) },
    });
  return database.data.data_sources?.map((source) => ofDataSource(source.id)) ?? [ofDatabase];
};

const from = (start_cursor: string | undefined) =>
  start_cursor === undefined ? {} : { start_cursor };

async function* items({ url }: Reading, query: Query): AsyncGenerator<unknown> {
  const guard = createPageGuard(url);
  for (let cursor: string | undefined, isLast = false; !isLast; ) {
    const parsed = Page.safeParse(await callNotion(url, query(cursor)));
    if (!parsed.success) throw invalidResponse(url);
    const page: Page = parsed.data;
    yield* page.results;
    cursor = page.next_cursor || undefined;
    isLast = page.has_more !== true || cursor === undefined;
    if (cursor !== undefined) guard(cursor);
  }
}

/** Yields the page's text block by block, so that no page is held in memory. */
async function* streamText(reading: Reading, page: unknown, id: string): AsyncGenerator<string> {
  const writer = createTextWriter();
  for (const text of [pageTitle(page), ...pageTexts(page)]) {
    writer.text(text);
    writer.paragraph();
  }
  const walk: Walk = { ...reading, writer, seen: new Set([id]) };
  for await (const _ of writeBlocks(walk, id, 1)) yield writer.take();
  yield writer.take();
}

type Walk = Reading & { readonly writer: TextWriter; readonly seen: Set<string> };

async function* writeBlocks(walk: Walk, parent: string, depth: number): AsyncGenerator<void> {
  const { client, writer, seen } = walk;
  const children: Query = (start_cursor) =>
    client.blocks.children.list({
      block_id: parent,
      page_size: itemsPerPage,
      ...from(start_cursor),
    });
  let isList = false;
  let number = 0;
  for await (const block of items(walk, children)) {
    const type = textMember(block, "type");
    number = type === "numbered_list_item" ? number + 1 : 0;
    if (listItems.has(type) !== isList) {
      isList = !isList;
      writer.list(isList ? 1 : -1);
    }
    writeBlock(writer, block, number);
    yield;
    const id = textMember(block, "id");
    if (member(block, "has_children") !== true || otherPages.has(type)) continue;
    if (!isId(id) || seen.has(id) || depth >= maxBlockDepth) continue;
    seen.add(id);
    try {
      yield* writeBlocks(walk, id, depth + 1);
    } catch (error) {
      // The original page of a synced block may not be shared with the integration.
      if (type !== "synced_block" || !isMissing(error)) throw error;
    }
  }
  if (isList) writer.list(-1);
}

import { expect, test } from "vitest";
import {
  notionBlock as block,
  notionApi,
  notionText as text,
} from "../../../test/harness/source-apis/notion-api.ts";
import { plainContext, readAll } from "../../../test/harness/source-apis/read-source.ts";
import { servingSources } from "../../../test/harness/source-apis/serve.ts";
import { createSource } from "./source.ts";

const serve = servingSources();
const parameters = { databaseId: "db", token: "ntn_token" };

const page = (id: string, title: string, summary = "") => ({
  object: "page",
  id,
  properties: {
    Name: { id: "title", type: "title", title: text(title) },
    Summary: { id: "a", type: "rich_text", rich_text: text(summary) },
    Done: { id: "b", type: "checkbox", checkbox: true },
  },
});
const paragraph = (id: string, content: string, has_children = false) =>
  block(id, "paragraph", { rich_text: text(content) }, has_children);

test("reads the pages of every data source, with properties and nested blocks of all pages", async () => {
  const { url } = await serve(
    notionApi({
      dataSources: {
        ds1: [page("p1", "Tuscan kale", "A dark leaf"), page("p2", "")],
        ds2: [page("p3", "Leek")],
      },
      blocks: {
        p1: [
          block("b1", "heading_1", { rich_text: text("La", "cinato") }),
          paragraph("b2", "First\nsecond line"),
          block("b3", "bulleted_list_item", { rich_text: text("one") }),
          block("b4", "bulleted_list_item", { rich_text: text("two") }, true),
          block("b5", "numbered_list_item", { rich_text: text("first") }),
          block("b6", "numbered_list_item", { rich_text: text("second") }),
          block("b7", "to_do", { rich_text: text("buy"), checked: true }),
          block("b8", "code", {
            rich_text: text("if (a)\n  b();"),
            language: "js",
            caption: text("Code"),
          }),
          block("b9", "table", { table_width: 2 }, true),
          block("b10", "equation", { expression: "e=mc^2" }),
          block("b11", "image", { type: "external", caption: text("A leaf") }),
          block("b12", "bookmark", { url: "https://example.com", caption: [] }),
          block("b13", "column_list", {}, true),
          block("b14", "child_page", { title: "Another page" }, true),
          block("b15", "synced_block", { synced_from: { block_id: "gone" } }, true),
          block("b16", "invented_later", { rich_text: text("still read") }),
          block("b17", "divider", {}),
        ],
        b4: [block("b41", "numbered_list_item", { rich_text: text("deep") })],
        b9: [
          block("r1", "table_row", { cells: [text("a"), text("b")] }),
          block("r2", "table_row", { cells: [text("1"), text("2")] }),
        ],
        b13: [block("c1", "column", {}, true), block("c2", "column", {}, true)],
        c1: [paragraph("c11", "left")],
        c2: [paragraph("c21", "right")],
        b14: [paragraph("no", "of another page")],
        p2: [],
        p3: [paragraph("x", "Soup")],
      },
    }),
  );
  const source = createSource({ SOURCE_URL_NOTION: url });
  expect(await readAll(source.read(parameters, plainContext()))).toEqual([
    [
      "Tuscan kale",
      [
        "Tuscan kale",
        "A dark leaf",
        "Lacinato",
        "First\nsecond line",
        "- one\n- two\n  1. deep\n1. first\n2. second\n[x] buy",
        "if (a)\n  b();\nCode",
        "a | b\n1 | 2",
        "e=mc^2",
        "A leaf",
        "https://example.com",
        "left",
        "right",
        "Another page",
        "still read",
      ].join("\n\n"),
    ],
    ["p2", ""],
    ["Leek", "Leek\n\nSoup"],
  ]);
});

test("reads a database of the API before data sources", async () => {
  const { url } = await serve(
    notionApi({ pages: [page("p1", "One"), page("p2", "Two")], blocks: { p1: [], p2: [] } }),
  );
  const all = await readAll(
    createSource({ SOURCE_URL_NOTION: url }).read(parameters, plainContext()),
  );
  expect(all).toEqual([
    ["One", "One"],
    ["Two", "Two"],
  ]);
});

test("accepts the id of a data source", async () => {
  const { url } = await serve(
    notionApi({ dataSources: { ds1: [page("p1", "One")] }, blocks: { p1: [] } }),
  );
  const source = createSource({ SOURCE_URL_NOTION: url });
  const all = await readAll(source.read({ ...parameters, databaseId: "ds1" }, plainContext()));
  expect(all).toEqual([["One", "One"]]);
});

test("reads blocks that contain each other once", async () => {
  const { url, requests } = await serve(
    notionApi({
      dataSources: { ds1: [page("p1", "One")] },
      blocks: {
        p1: [paragraph("a", "A", true)],
        a: [paragraph("b", "B", true)],
        b: [paragraph("a", "A", true), paragraph("p1", "P", true)],
      },
    }),
  );
  const all = await readAll(
    createSource({ SOURCE_URL_NOTION: url }).read(parameters, plainContext()),
  );
  expect(all).toEqual([["One", "One\n\nA\n\nB\n\nA\n\nP"]]);
  expect(requests.length).toBeLessThan(8);
});

test("ends for endlessly nested blocks", async () => {
  let blockCount = 0;
  const api = notionApi({ dataSources: { ds1: [page("p1", "One")] }, blocks: {} });
  const { url } = await serve((request, at) => {
    if (!request.path.startsWith("/v1/blocks/")) return api(request, at);
    blockCount += 1;
    const results = [paragraph(`block-${blockCount}`, "deeper", true)];
    return { body: { object: "list", results, has_more: false, next_cursor: null } };
  });
  await readAll(createSource({ SOURCE_URL_NOTION: url }).read(parameters, plainContext()));
  expect(blockCount).toBe(32);
});

test("fails when a page repeats", async () => {
  const api = notionApi({ dataSources: { ds1: [] }, blocks: {} });
  const { url } = await serve((request, at) =>
    request.path.endsWith("/query")
      ? { body: { results: [], has_more: true, next_cursor: "again" } }
      : api(request, at),
  );
  const reading = readAll(
    createSource({ SOURCE_URL_NOTION: url }).read(parameters, plainContext()),
  );
  await expect(reading).rejects.toThrow("the same page twice");
});

test.each([
  ["no JSON", "<html>"],
  ["something else", { object: "database", data_sources: [{ id: "../../secrets" }] }],
  ["a list", []],
])("fails when Notion sends %s", async (_, body) => {
  const { url } = await serve(() => ({ body }));
  const reading = readAll(
    createSource({ SOURCE_URL_NOTION: url }).read(parameters, plainContext()),
  );
  await expect(reading).rejects.toMatchObject({ name: "UpstreamError" });
});

test("reports a rejected token after one call", async () => {
  const { url, requests } = await serve(notionApi({ blocks: {} }));
  const wrong = { ...parameters, token: "wrong" };
  const reading = readAll(createSource({ SOURCE_URL_NOTION: url }).read(wrong, plainContext()));
  await expect(reading).rejects.toMatchObject({ name: "UpstreamError", upstreamStatus: 401 });
  expect(requests).toHaveLength(1);
});

test.each(["../users", "a/b", "a?b", ""])("does not take %j as an id", (databaseId) => {
  expect(createSource().parameters.safeParse({ ...parameters, databaseId }).success).toBe(false);
});

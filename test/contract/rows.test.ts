import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { routes } from "../../functions/routes.ts";
import { consumers } from "../../functions/workers/messages.ts";
import { schedules } from "../../functions/workers/schedules.ts";
import { renderOpenApi } from "../../infra/commands/openapi.ts";
import { settingRows } from "../../infra/settings/config.ts";
import { toOperationId } from "../../lib/edge/operation-id.ts";
import { sampleEvents } from "../suites/sample-event.ts";

const root = new URL("../../", import.meta.url);
const text = (path: string) => readFileSync(new URL(path, root), "utf8");
const handlerPath = ({ group, operation }: { group: string; operation: string }) =>
  `functions/${group}/${operation}.ts`;

describe("the rows", () => {
  test("every row has a handler of its name, and every handler a row", () => {
    const expected = [
      ...routes.map(handlerPath),
      ...[...consumers, ...schedules].map(({ operation }) =>
        handlerPath({ group: "workers", operation }),
      ),
    ];
    const files = readdirSync(new URL("functions", root), { recursive: true, encoding: "utf8" })
      .filter(
        (file) =>
          /^(?!deps\/)[^/]+\/.+\.ts$/.test(file) &&
          !/(\/(routes|messages|schedules)|\.test)\.ts$/.test(file),
      )
      .map((file) => `functions/${file}`);
    expect(files.toSorted()).toEqual(expected.toSorted());
  });

  test("every row is exported under its operation's name", () => {
    for (const { group, operation } of routes) {
      expect(text(`functions/${group}/routes.ts`)).toContain(
        `export const ${toOperationId(operation)} = `,
      );
    }
  });

  test("operations, and methods on a path, are unique", () => {
    const operations = [...routes, ...consumers, ...schedules].map(({ operation }) => operation);
    const calls = routes.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(operations).size).toBe(operations.length);
    expect(new Set(calls).size).toBe(calls.length);
  });

  test("a row that changes something may write, one that reads may not", () => {
    for (const { operation, method, access } of routes) {
      // A browser comes back with GET, and a list of a server's tools may refresh the token that it needs.
      const writesByGet = operation === "finish-consent" || operation === "list-tools";
      expect(access.table === "write", operation).toBe(method !== "GET" || writesByGet);
    }
  });

  test("a row that writes names the resource it changes, for the audit trail, except for these", () => {
    const others = routes.filter(({ method, audit }) => method !== "GET" && !audit);
    expect(others.map(({ operation }) => operation).toSorted()).toEqual(
      [
        // Start work, which has records of its own: a replayed delivery starts executions and is kept as it was.
        "call-a2a",
        "call-mcp",
        "create-chat-completion",
        "create-response",
        "deliver-message",
        "deliver-signed-webhook",
        "deliver-webhook",
        "execute-agent",
        "replay-delivery",
        "run-tool",
        "send-a2a-message",
        "send-test-event",
        "stream-a2a-message",
        "test-draft",
        "test-revision",
        // Have no caller who is known to the organization; the score and the decision name their link, the trace
        // shows the callback.
        "begin-consent",
        "give-feedback",
        "receive-callback",
        "submit-approval-page",
        // Change nothing: a link is signed and not stored, and an upload is a document when it is completed.
        "check-guardrail",
        "create-approval-link",
        "create-feedback-link",
        "create-upload",
        "estimate-assets",
        "estimate-google-drive-assets",
        "estimate-jira-assets",
        "estimate-notion-assets",
        "estimate-zendesk-assets",
        "generate-skill",
        "search-assets",
        "subscribe-to-a2a-task",
        "test-connector",
        "test-event-destination",
        "test-llm-provider",
      ].toSorted(),
    );
  });

  test("a consumer works for one tenant with at most half of its queue's functions", () => {
    for (const { operation, tenantConcurrency, maxConcurrency = 1_000 } of consumers) {
      expect(tenantConcurrency, operation).toBeGreaterThanOrEqual(1);
      expect(tenantConcurrency, operation).toBeLessThanOrEqual(maxConcurrency / 2);
    }
  });

  test("a body is an object: no row but a callback accepts an array, a text or null", () => {
    for (const { operation, body } of routes) {
      if (operation === "receive-callback") continue;
      for (const value of [[], "text", null]) {
        expect(body?.safeParse(value).success ?? false, operation).toBe(false);
      }
    }
  });

  test("every handler is created by the endpoint of its kind, with the checks of the edge", () => {
    const made = /^export const handler = (\w+)\(/m;
    const listFactories = (row: (typeof routes)[number]): string[] => {
      const { inbound, signed, streaming, scope } = row;
      if (signed) return ["signedEndpoint"];
      if (inbound) return ["inboundEndpoint"];
      if (streaming) return ["streamedEndpoint"];
      if (row.operation === "finish-consent") return ["callbackEndpoint"];
      return scope === "public" ? ["publicEndpoint"] : ["endpoint", "decideEndpoint"];
    };
    for (const row of routes) {
      expect(listFactories(row), row.operation).toContain(made.exec(text(handlerPath(row)))?.[1]);
    }
  });

  test("handlers stay short", () => {
    for (const row of routes) {
      expect(text(handlerPath(row)).split("\n").length, row.operation).toBeLessThanOrEqual(60);
    }
  });
});

describe("files that are generated from the rows and committed", () => {
  test("docs/openapi.json is up to date (npm run openapi)", async () => {
    expect(text("docs/openapi.json") === (await renderOpenApi())).toBe(true);
  });

  test("every function has its sample event, up to date (npm run events)", () => {
    const events = sampleEvents({ routes, consumers, schedules });
    expect(readdirSync(new URL("events", root)).toSorted()).toEqual([...events.keys()].toSorted());
    for (const [name, content] of events)
      expect(text(`events/${name}`) === content, name).toBe(true);
  });

  test("the OpenAPI document has every row, and every reference in it leads somewhere", () => {
    const document = z
      .object({
        paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string() }))),
      })
      .loose()
      .parse(JSON.parse(text("docs/openapi.json")));
    for (const { path, method, operation } of routes) {
      expect(document.paths[path]?.[method.toLowerCase()]?.operationId).toBe(
        toOperationId(operation),
      );
    }
    for (const [, reference = ""] of JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)) {
      const target = reference
        .split("/")
        .slice(1)
        .reduce<unknown>(
          (value, part) => z.record(z.string(), z.unknown()).parse(value)[part],
          document,
        );
      expect(target, reference).toBeDefined();
    }
  });
});

test("docs/settings.md lists every setting with its default and its effect", () => {
  const page = text("docs/settings.md").replaceAll(/ +/g, " ");
  for (const { name, fallback, description } of settingRows) {
    const cell = fallback === undefined ? "" : `\`${fallback}\` `;
    expect(page).toContain(`| \`${name}\` | ${cell}| ${description} |`);
  }
});

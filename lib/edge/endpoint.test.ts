import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const listMiddlewares = (source: string) =>
  [...source.matchAll(/\.use\((\w+)\(/g)].map(([, name]) => name ?? "");

test("the chain is the order of checks", () => {
  expect(listMiddlewares(read("./endpoint.ts"))).toEqual([
    "requestContext",
    "connectTable",
    "problemDetails",
    "matchRoute",
    "limitBody",
    "readAgentAhead",
    "authenticate",
    "limitRequests",
    "resolveTenant",
    "authorize",
    "parseRequest",
    "limitBatch",
    "idempotency",
    "limitConcurrency",
    "auditChanges",
    "shapeResponse",
  ]);
});

test("the chain is the list in docs/internals/requests.md", () => {
  const listed = [...read("../../docs/internals/requests.md").matchAll(/^\d+\. `(\w+)`:/gm)];
  expect(listed.map(([, name]) => name)).toEqual(listMiddlewares(read("./endpoint.ts")));
});

test("the chain of an inbound address admits its sender before anything else is looked up", () => {
  expect(listMiddlewares(read("./inbound-endpoint.ts"))).toEqual([
    "requestContext",
    "connectTable",
    "problemDetails",
    "matchRoute",
    "limitBody",
    "admitSender",
    "limitRequests",
    "resolveOwner",
    "shapeResponse",
  ]);
});

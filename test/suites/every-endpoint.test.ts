import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { followA2aTask, subscribeToA2aTask } from "../../functions/a2a/routes.ts";
import { routes } from "../../functions/routes.ts";
import { A2aError, RpcErrorResponse, versionParameter } from "../../lib/edge/a2a-error.ts";
import { FormBody, formType } from "../../lib/edge/form-body.ts";
import { listRouteProblems } from "../../lib/edge/implied-problems.ts";
import { bodyLimitFor } from "../../lib/edge/limit-body.ts";
import { OpenAiError } from "../../lib/edge/openai-error.ts";
import { protocolMediaTypes } from "../../lib/edge/protocol.ts";
import type { Route } from "../../lib/edge/route.ts";
import { scopeEntries } from "../../lib/platform/auth/scopes.ts";
import { RawBody } from "../../lib/platform/http/raw-body.ts";
import {
  type Call,
  call,
  checkEveryHeader,
  expectProblem,
  newOrganization,
  type TestResponse,
} from "../harness/api.ts";
import { expectAuditRecord } from "./audit-record.ts";
import { callChain, isOrdinary } from "./call-chain.ts";
import { isFirstOfKind } from "./kinds-of-endpoints.ts";
import { prepareA2a } from "./prepare-a2a.ts";
import { prepareAccessRequest } from "./prepare-access-request.ts";
import { prepareAgent } from "./prepare-agent.ts";
import { prepareApproval } from "./prepare-approval.ts";
import { prepareAsset } from "./prepare-asset.ts";
import { prepareCallback } from "./prepare-callback.ts";
import { prepareConnection } from "./prepare-connection.ts";
import { prepareConnector, prepareMessage } from "./prepare-connector.ts";
import { prepareDataset, prepareExecutions } from "./prepare-dataset.ts";
import { prepareEventDestination } from "./prepare-event-destination.ts";
import { prepareExperiment } from "./prepare-experiment.ts";
import { prepareFile } from "./prepare-file.ts";
import { prepareGuardrail } from "./prepare-guardrail.ts";
import { prepareIntegrationConfig } from "./prepare-integration-config.ts";
import { prepareMcp } from "./prepare-mcp.ts";
import { prepareMemory } from "./prepare-memory.ts";
import { prepareOnlineEvaluation } from "./prepare-online-evaluation.ts";
import { prepareOpenAi } from "./prepare-openai.ts";
import { prepareScore } from "./prepare-score.ts";
import { prepareScorer } from "./prepare-scorer.ts";
import { prepareSkill } from "./prepare-skill.ts";
import { type InboundSample, prepareInbound, prepareWebhook } from "./prepare-webhook.ts";
import { sampleRequest } from "./sample-request.ts";
import { onceEach, preparationFor } from "./shared-preparation.ts";
import { callsOutside, testsWithStandIn } from "./tested-with-stand-in.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const Minted = z.object({ id: z.string() });

/** An API key, for the rows with a key in their paths. */
const prepareApiKey = async (own: Organization, row: Route): Promise<Record<string, string>> => {
  if (!row.path.includes("{apiKey}")) return {};
  const minted = await own.send("POST", "/apiKeys:generate", { name: "a", preset: "Runner" });
  return { apiKey: Minted.parse(minted.body).id };
};

/** The resources that a row's sample request names. */
const prepare = async (row: Route) => {
  const own = await newOrganization();
  const caller = await mintKeys(own);
  const ofAgent = await prepareAgent(own, row);
  if (row.group === "llm-providers") {
    await own.send("POST", "/llm-providers", {
      id: "our-models",
      type: "openai-compatible",
      baseUrl: "https://models.example.com/v1",
    });
  }
  await prepareSkill(own, row);
  await prepareGuardrail(own, row);
  await prepareOnlineEvaluation(own, row);
  await prepareScorer(own, row);
  await prepareDataset(own, row);
  const inbound = (await prepareMessage(own, row)) ?? (await prepareInbound(own, row));
  const connection = await prepareConnection(own, row);
  const params = {
    tenant: own.slug,
    ...(await prepareApiKey(own, row)),
    ...ofAgent,
    ...(await prepareScore(own, row, ofAgent)),
    ...(await prepareCallback(own, row)),
    ...(await prepareWebhook(own, row)),
    ...(await prepareEventDestination(own, row)),
    ...(await prepareConnector(own, row)),
    ...(await prepareAccessRequest(own, row)),
    ...(await prepareIntegrationConfig(own, row)),
    ...(await prepareMcp(own, row)),
    ...(await prepareOpenAi(own, row)),
    ...(await prepareA2a(own, row)),
    ...(await prepareApproval(own, row)),
    ...(await prepareAsset(own, row)),
    ...(await prepareExperiment(own, row)),
    ...(await prepareFile({ slug: own.slug, key: caller.key }, row)),
    ...(await prepareMemory(own, row)),
    ...connection.params,
    ...inbound.params,
  };
  const named = row.group === "connections" ? connection.named : await prepareExecutions(own, row);
  return { caller, params, inbound, named };
};

/** Rows with a response that lasts until the task has ended. */
const subscribes: ReadonlySet<string> = new Set(
  [subscribeToA2aTask, followA2aTask].map(({ operation }) => operation),
);

const everyScope = scopeEntries.map(({ scope }) => scope);

type Caller = {
  own: Organization;
  key: string;
  keyWithout: (scopes: readonly string[]) => Promise<string>;
};

/** Keys with every scope and with every scope but one. */
const mintKeys = async (own: Organization): Promise<Caller> => ({
  own,
  key: await own.mintKey(everyScope),
  keyWithout: onceEach(
    (scopes: readonly string[]) =>
      own.mintKey(everyScope.filter((scope) => !scopes.includes(scope))),
    (scopes) => scopes.join(),
  ),
});

/** The caller of requests that are refused before a resource is read. */
let refused: Promise<Caller> | undefined;
const refusedCaller = (): Promise<Caller> => {
  refused ??= newOrganization().then(mintKeys);
  return refused;
};

/** The preparation of a row, and its caller. */
const prepared = onceEach(prepare, preparationFor);

/** A tenant that the callers have nothing to do with. */
let other: Promise<Organization> | undefined;
const otherOrganization = (): Promise<Organization> => {
  other ??= newOrganization();
  return other;
};

/** Operations with a sample request that names the provider `echo`, which all tenants have. */
const usesEcho = ["get-llm-provider", "list-llm-models", "test-llm-provider"];

/** Operations that first look for the resources in the body, and refuse those of others with 400. */
const looksAtBodyFirst = ["put-online-evaluation", "add-examples-from-executions"];

/** Query parameters that are ids or names. */
const texts =
  "actorId agent agentId contextId endUserId error name namespace resourceId scorer split text".split(
    " ",
  );

/** Whether one of the wrong values below is right for a query parameter that takes texts or fractions. */
const isValidQuery = (name: string, value: string): boolean =>
  /^(metadata|score)\./.test(name) ||
  (texts.includes(name) && value !== "") ||
  (/^(min|max)(Cost|Score\.)/.test(name) && value === "1.5");

/** Whether the path names a resource of a tenant or its organization. The catalog of integrations is for all. */
const namesOwnResource = ({ operation, path, inbound, scope }: Route): boolean =>
  !inbound &&
  scope !== "public" &&
  !usesEcho.includes(operation) &&
  [...path.matchAll(/\{(\w+)\}/g)].some(
    ([, name = ""]) => !["tenant", "integration", "tool"].includes(name),
  );

/** Whether it takes the query of another server, of any names. */
const takesAnyQuery = ({ query }: Route): boolean =>
  Object.keys(query ?? {}).some((name) => name.startsWith("{"));

/** The sample's body, with the members that name what was prepared. */
const withOwnNames = (body: unknown, named: Record<string, unknown>): unknown =>
  Object.keys(named).length > 0 && body !== undefined
    ? { ...z.looseObject({}).parse(body), ...named }
    : withOwnSlug(body);

/** The content of a request: JSON, or a form where the row takes one. */
const toContent = ({ body: schema }: Route, body: unknown): Pick<Call, "body" | "raw"> =>
  schema === FormBody
    ? { raw: new URLSearchParams(z.record(z.string(), z.string()).parse(body)).toString() }
    : { body };

/** Slugs of tenants are unique over all organizations: another test may have taken the sample's. */
const withOwnSlug = (body: unknown): unknown =>
  z.object({ slug: z.string() }).safeParse(body).success
    ? { ...z.looseObject({}).parse(body), slug: `own-${randomUUID()}` }
    : body;

/** Whether its refusals are requested over HTTP; those of other rows, of the same chain in this process. */
const isOverHttp = (row: Route): boolean => !isOrdinary(row) || isFirstOfKind(row);

/** Whether a row is the first of its kind or group: its bundle is loaded in `npm test`, too. */
const isFirst = (row: Route): boolean =>
  isFirstOfKind(row) || routes.find(({ group }) => group === row.group) === row;

/** The code of OpenAI's 404 for a model, in place of the slug of its problem. */
const noModelCode = "model_not_found";

const testRow = (row: Route): void => {
  let params: Record<string, string> = {};
  let inbound: InboundSample = { params: {} };
  let named: Record<string, unknown> = {};
  let preparedCaller: Caller;
  let own: Organization;
  let key: string;
  let keyWithout: (scopes: readonly string[]) => Promise<string>;

  const prepareRow = async (): Promise<void> => {
    ({ params, inbound, named, caller: preparedCaller } = await prepared(row));
  };
  beforeAll(async () => {
    if (isOverHttp(row)) await prepareRow();
    ({ own, key, keyWithout } = isOverHttp(row) ? preparedCaller : await refusedCaller());
  });

  type Change = { tenant?: string; query?: string };

  const sendBy = async (
    transport: typeof call,
    options: Call,
    { tenant, query }: Change,
  ): Promise<TestResponse> => {
    const request = sampleRequest(row, { ...params, ...(tenant && { tenant }) });
    const content =
      options.raw === undefined ? toContent(row, withOwnNames(request.body, named)) : {};
    const required = new URLSearchParams(request.query).toString();
    const search = query ?? inbound.query ?? (required && `?${required}`);
    const response = await transport(request.method, request.path + search, {
      ...content,
      ...options,
      headers: {
        ...(row.body === FormBody && { "Content-Type": formType }),
        ...(row.query && versionParameter in row.query && { [versionParameter]: "1.0" }),
        ...inbound.headers,
        ...options.headers,
      },
    });
    checkEveryHeader(response);
    if (response.status >= 400) {
      const { slug } = readRefusal(row, response);
      const codes = [
        ...listRouteProblems(row),
        ...(row.protocol === "openai" ? [noModelCode] : []),
      ];
      expect(codes, `${slug} is not declared`).toContain(slug);
    }
    return response;
  };

  /** Sends the sample request over HTTP, as it is or changed. */
  const send = (options: Call = {}, change: Change = {}) => sendBy(call, options, change);

  /** Sends a request that is refused. */
  const refuse = (options: Call, change: Change = {}): Promise<TestResponse> =>
    isOverHttp(row)
      ? send(options, change)
      : sendBy((method, url, sent = {}) => callChain(row, method, url, sent), options, {
          tenant: own.slug,
          ...change,
        });

  if (row.scope !== "public" && isFirstOfKind(row))
    describe("credentials", () => {
      test("unknown ones are refused with 401", async () => {
        expect((await refuse({ key: "wharf_live_nonsense" })).status).toBe(401);
        expect((await refuse({ token: "no.token.atall" })).status).toBe(401);
      });

      test("a key and a token together are refused with 400", async () => {
        const response = await refuse({ key, token: own.token });
        expect(readRefusal(row, response).slug).toBe("ambiguous-credentials");
      });
    });

  if (row.scope.includes(":"))
    test("a key with every scope but the row's is refused with 403", async () => {
      // A list has the caller's own items for the other scope, and sessions and responses of others do not exist.
      const hasOwn =
        !namesOwnResource(row) || ["sessions", "files", "openai", "a2a"].includes(row.group);
      const others = row.starterScope && hasOwn ? [row.starterScope] : [];
      const response = await refuse({ key: await keyWithout([row.scope, ...others]) });
      expect(response.status).toBe(403);
      expect(readRefusal(row, response)).toMatchObject({
        slug: "insufficient-scope",
        ...ofProblem(row, { requiredScope: row.scope }),
      });
    });

  if (row.scope === "api-key")
    test("a user token is refused with 401", async () => {
      expect((await refuse({ token: own.token })).status).toBe(401);
    });

  // A description of a resource is the same for all tenants, also for those that do not exist.
  if (row.path.includes("{tenant}") && row.operation !== "get-mcp-resource")
    test("another organization's tenant is a 404 like one that does not exist", async () => {
      const other = await otherOrganization();
      const readShape = async (tenant: string) => {
        const response = await refuse({ key }, { tenant });
        expect(response.status).toBe(404);
        return JSON.stringify({ ...readRefusal(row, response), requestId: "" }).replaceAll(
          tenant,
          "TENANT",
        );
      };
      const nobodys = await readShape("no-such-tenant");
      expect(await readShape(other.tenantId)).toBe(nobodys);
      if (isFirstOfKind(row)) expect(await readShape(other.slug)).toBe(nobodys);
    });

  if (row.body === RawBody)
    test("an empty body is refused", async () => {
      const response = await refuse({ key, raw: new Uint8Array() });
      expect(readRefusal(row, response)).toMatchObject({ slug: "validation-failed", status: 400 });
    });

  if (row.body !== undefined && row.body !== RawBody && row.body !== FormBody)
    describe("the body", () => {
      test.each(wrongBodies(row))("%s is refused", async (_, raw, status, slug) => {
        const response = await refuse({ key, raw });
        expect({ status: response.status, slug: readRefusal(row, response).slug }).toEqual({
          status,
          slug,
        });
      });

      if (!isFirstOfKind(row)) return;
      test.each([
        ["JSON nested 101 deep", `${"[".repeat(101)}${"]".repeat(101)}`],
        ["bytes that are not UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
      ])("%s is refused as malformed", async (_, raw) => {
        expect(readRefusal(row, await refuse({ key, raw })).slug).toBe("malformed-json");
      });

      test("another content type is refused with 415", async () => {
        const response = await refuse({ key, headers: { "Content-Type": "text/plain" } });
        expect(readRefusal(row, response).slug).toBe("unsupported-media-type");
      });

      const limit = bodyLimitFor(row);
      test(`more than ${limit} bytes are refused with 413, before the credentials are checked`, async () => {
        const response = await refuse({ raw: "x".repeat(limit + 1) });
        expect(readRefusal(row, response)).toMatchObject({
          slug: "payload-too-large",
          ...ofProblem(row, { limit }),
        });
      });
    });

  if (!row.inbound && !takesAnyQuery(row))
    test("a query parameter that it does not have is refused with 400", async () => {
      const response = await refuse({ key }, { query: "?noSuchParameter=1" });
      expect(response.status).toBe(400);
      expect(readRefusal(row, response)).toMatchObject({
        slug: "validation-failed",
        ...(row.protocol === "openai"
          ? { param: "noSuchParameter" }
          : {
              errors: expect.arrayContaining([
                expect.objectContaining({ pointer: "query/noSuchParameter" }),
              ]),
            }),
      });
    });

  if (takesAnyQuery(row))
    test("query parameters of any names are accepted, and without a known state it is a 404", async () => {
      const response = await send({}, { query: "?noSuchParameter=1" });
      expect(readRefusal(row, response)).toMatchObject({ slug: "not-found", status: 404 });
    });

  if (row.query !== undefined && !takesAnyQuery(row))
    test.each(isFirstWithQuery(row) ? wrongValues : wrongValues.slice(0, 1))(
      "every query parameter that %s is refused with its pointer",
      async (_, ...values) => {
        const [value = ""] = values;
        const names = Object.keys(row.query ?? {})
          .map((name) => name.replace("{name}", "quality"))
          .filter((name) => values.length > 1 || !isValidQuery(name, value));
        if (names.length === 0) return;
        const query = names.flatMap((name) => values.map((value) => `${name}=${value}`)).join("&");
        const response = await refuse({ key }, { query: `?${query}` });
        expect(response.status, query).toBe(400);
        expect(readRefusal(row, response)).toMatchObject({
          slug: "validation-failed",
          errors: expect.arrayContaining(
            names.map((name) => expect.objectContaining({ pointer: `query/${name}` })),
          ),
        });
      },
    );

  if (row.scope === "public" && callsOutside(row)) return;
  describe("over HTTP", isFirst(row) ? {} : { tags: "nightly" }, () => {
    beforeAll(prepareRow);

    if (row.scope !== "public")
      test("missing credentials are refused with 401 and a challenge", async () => {
        const response = await send();
        expect(readRefusal(row, response).slug).toBe("unauthenticated");
        expect(response.status).toBe(401);
        expect(response.headers.get("www-authenticate")).toContain("Bearer");
      });

    if (namesOwnResource(row))
      test("a resource of another organization is a 404 in the caller's own tenant", async () => {
        const stranger = await refusedCaller();
        const response = await send({ key: stranger.key }, { tenant: stranger.own.tenantId });
        const status = looksAtBodyFirst.includes(row.operation) ? 400 : 404;
        expect(response.status, response.text).toBe(status);
      });

    if (!callsOutside(row) && !subscribes.has(row.operation))
      test("its sample request gets the declared response", async () => {
        const response = await send({ key: preparedCaller.key });
        const { status, accepted } = row.response;
        expect(accepted ? [status, 202] : [status], response.text).toContain(response.status);
        const body = readFirst(response);
        if (!row.inbound) expect(declared(row).parse(body)).toEqual(body);
        if (!row.audit) return;
        const request = sampleRequest(row, params);
        await expectAuditRecord(row, response, { own: preparedCaller.own, body: request.body });
      });

    if (row.streaming && !row.protocol && !row.streaming.onDemand)
      test("a caller who accepts events gets the response as the last one", async () => {
        const response = await send({
          key: preparedCaller.key,
          headers: { Accept: "text/event-stream" },
        });
        expect(response.status, response.text).toBe(200);
        expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
        const last = response.text.trimEnd().split("\n\n").at(-1) ?? "";
        expect(last).toContain(`event: ${row.streaming?.completed}\n`);
        const data: unknown = JSON.parse(last.split("\ndata: ")[1] ?? "");
        expect(declared(row).parse(data)).toEqual(data);
      });

    if (row.streaming)
      test("a caller who accepts events is refused by an ordinary problem", async () => {
        const response = await send({ headers: { Accept: "text/event-stream" } });
        expect(readRefusal(row, response).slug).toBe("unauthenticated");
      });

    if (row.response.accepted)
      test("a caller who prefers respond-async gets 202 and a readable Location", async () => {
        const response = await send({
          key: preparedCaller.key,
          headers: { Prefer: "respond-async" },
        });
        expect(response.status, response.text).toBe(202);
        expect(response.headers.get("location")).toMatch(/^\/v1\//);
        expect(declared(row).parse(response.body)).toEqual(response.body);
        const { pathname } = new URL(response.headers.get("location") ?? "", "http://any");
        expect((await call("GET", pathname, { key: preparedCaller.key })).status).toBe(200);
      });
  });
};

const toCases = (rows: readonly Route[]) => rows.map((row) => [row.operation, row] as const);
const isForNightly = (row: Route): boolean => isOverHttp(row) && !isFirst(row);
const here = routes.filter((row) => !isForNightly(row));
describe.each(toCases(here))("%s", (_, row) => testRow(row));
const others = routes.filter(isForNightly);
describe.each(toCases(others))("%s", { tags: "nightly" }, (_, row) => testRow(row));

/** Loads the bundle of a path, which is that of its first row. */
const refuseOtherMethods = async (pattern: string): Promise<void> => {
  const rows = routes.filter(({ path }) => path === pattern);
  const offered = rows.map(({ method }) => method);
  const others = ["GET", "PUT", "DELETE", "OPTIONS"].filter(
    (method) => !offered.some((other) => other === method),
  );
  for (const method of others) {
    const response = await call(method, rows.map((row) => sampleRequest(row).path)[0] ?? "");
    checkEveryHeader(response);
    const [row] = rows;
    expect(row && readRefusal(row, response).slug).toBe("method-not-allowed");
    expect(response.headers.get("allow")?.split(", ").sort()).toEqual(offered.toSorted());
  }
};

const paths = [...new Set(routes.map(({ path }) => path))];
const startsHere = (pattern: string): boolean => {
  const row = routes.find(({ path }) => path === pattern);
  return row !== undefined && isFirst(row);
};
const otherMethods = "%s refuses other methods with 405 and lists the allowed ones";
test.each(paths.filter(startsHere))(otherMethods, refuseOtherMethods);
test.each(paths.filter((path) => !startsHere(path)))(
  otherMethods,
  { tags: "nightly" },
  refuseOtherMethods,
);

test.each([...testsWithStandIn])(
  "the sample request of %s would call an external service: %s calls it with a stand-in",
  (operation, file) => {
    const row = routes.find((route) => route.operation === operation);
    const { path = "" } = row ?? {};
    const last = path.split("/").findLast((part) => !part.startsWith("{")) ?? "";
    const [, verb = last] = path.split(":");
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
    expect(text).toContain(verb);
  },
);

/** Returns the body of a response, or the data of the first event of a stream. */
const readFirst = ({ headers, body, text }: TestResponse): unknown =>
  headers.get("content-type")?.startsWith("text/event-stream")
    ? JSON.parse(text.split("\n\n", 1)[0]?.replace(/^data: /, "") ?? "")
    : body;

/** A refusal: the members of its problem, or of its error in the format of the row's protocol. */
const readRefusal = ({ protocol }: Route, response: TestResponse): Refusal => {
  if (!protocol) return expectProblem(response);
  const { status } = response;
  // A client of A2A that does not accept its type gets plain JSON.
  const types = [protocolMediaTypes[protocol], "application/json"];
  expect(types).toContain(response.headers.get("content-type"));
  const requestId = response.headers.get("x-request-id");
  if (protocol === "openai") {
    const { error } = z.strictObject(OpenAiError.shape).parse(response.body);
    expect(error.request_id).toBe(requestId);
    return { slug: error.code, status, param: error.param };
  }
  const details =
    protocol === "a2a-http"
      ? z.strictObject(A2aError.shape).parse(response.body).error.details
      : z.strictObject(RpcErrorResponse.shape).parse(response.body).error.data;
  const { metadata } = ErrorInfo.parse(details[0]);
  expect(metadata.requestId).toBe(requestId);
  const violations = BadRequest.safeParse(details[1]).data?.fieldViolations ?? [];
  const errors = violations.map(({ field }) => ({ pointer: field }));
  return { slug: metadata.problem, status, errors };
};

const ErrorInfo = z.object({ metadata: z.object({ problem: z.string(), requestId: z.string() }) });
const BadRequest = z.object({ fieldViolations: z.array(z.object({ field: z.string() })) });

type Refusal = { slug: string; status: number; [member: string]: unknown };

/** The members of a refusal that the formats of protocols do not have. */
const ofProblem = ({ protocol }: Route, members: object): object => (protocol ? {} : members);

/** Values that query parameters refuse: a test's title, and the values given. */
const wrongValues: readonly (readonly [string, ...string[]])[] = [
  ["is no number", "x"],
  ["is too large", "99999999999999999999"],
  ["is no whole number", "1.5"],
  ["is empty", ""],
  ["is given twice", "1", "2"],
];

/** Whether a row is the first with its query parameters: rows with the same ones have the same schema of them. */
const isFirstWithQuery = (row: Route): boolean => {
  const joinNames = ({ query }: Route) => Object.keys(query ?? {}).join();
  return routes.find((route) => joinNames(route) === joinNames(row)) === row;
};

/** Bodies that rows refuse; an empty one is allowed if the row's body is optional. */
const wrongBodies = (row: Route): WrongBody[] => [
  ...(row.body?.safeParse([]).success ? [] : [anArray]),
  ...(isFirstOfKind(row) ? [brokenJson] : []),
  ...(row.body?.safeParse(undefined).success ? [] : [noBody]),
];

/** A title, the body, and the status and slug of its problem. */
type WrongBody = [title: string, raw: string, status: number, slug: string];
const anArray: WrongBody = ["an array", "[]", 400, "validation-failed"];
const brokenJson: WrongBody = ["broken JSON", '{"a":', 400, "malformed-json"];
const noBody: WrongBody = ["nothing", "", 400, "malformed-json"];

/** The declared response schema, which rejects undeclared members. */
const declared = ({ response }: Route): z.ZodType => {
  if (!response.schema) return z.undefined();
  return response.schema instanceof z.ZodObject &&
    !(response.schema.def.catchall instanceof z.ZodUnknown)
    ? z.strictObject(response.schema.shape)
    : response.schema;
};

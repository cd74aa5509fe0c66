import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import * as z from "zod";
import {
  type Credentials,
  createClient,
  unwrapBody,
  type WharfClient,
} from "../../client/client.ts";
import type { Scope } from "../../client/openapi.ts";
import { securityHeaders } from "../../lib/platform/http/security-headers.ts";
import { connectLocalStack } from "./local-stack.ts";

/** A response with its body. */
export type TestResponse = { status: number; headers: Headers; body: unknown; text: string };

/** A request; `key` and `token` are credentials, `body` is sent as JSON unless `raw` is set. */
export type Call = {
  body?: unknown;
  raw?: string | Uint8Array;
  key?: string;
  token?: string;
  headers?: Record<string, string>;
};

/** Connects to the stack that the suite runs against. */
export const stack = () => connectLocalStack(inject("stack"));

/** Calls the API. */
export const call = async (
  method: string,
  path: string,
  { body, raw, key, token, headers = {} }: Call = {},
): Promise<TestResponse> => {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const sent = new Headers({
    ...(key !== undefined && { "X-API-KEY": key }),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(content !== undefined && { "Content-Type": "application/json" }),
  });
  for (const [name, value] of Object.entries(headers)) sent.set(name, value);
  const response = await fetch(inject("stack").baseUrl + path, {
    method,
    headers: sent,
    redirect: "manual",
    ...(content !== undefined && { body: content }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: readJson(text) };
};

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Creates the product's client as a principal; a refused request is not repeated. */
export const clientFor = (credentials: Credentials): WharfClient =>
  createClient({
    baseUrl: inject("stack").baseUrl,
    credentials: () => credentials,
    retry: { attempts: 1 },
  });

/** Creates an organization with an admin and a tenant. */
export const newOrganization = async () => {
  const org = `org-${randomUUID()}`;
  const slug = `t-${randomUUID().slice(0, 18)}`;
  const token = await stack().token({ org, role: "admin" });
  const send = async (method: string, path: string, body?: unknown): Promise<TestResponse> => {
    const response = await call(method, path, { token, body });
    if (response.status >= 300)
      throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
    return response;
  };
  const client = clientFor({ token });
  const tenant = await unwrapBody(
    client.POST("/v1/tenants", { body: { slug, displayName: "Test" } }),
  );
  const path = { tenant: tenant.id };
  const base = `/v1/tenants/${tenant.id}`;
  return {
    org,
    slug,
    tenantId: tenant.id,
    token,
    base,
    client,
    /** Calls as the admin; throws for a failure. */
    send: (method: string, path: string, body?: unknown) => send(method, base + path, body),
    /** Calls as the admin; returns any response. */
    try: (method: string, path: string, options: Call = {}) =>
      call(method, base + path, { token, ...options }),
    /** Generates a key with these scopes. */
    mintKey: async (scopes: readonly Scope[]) => {
      const body = { name: "test", scopes: [...scopes] };
      const generate = "/v1/tenants/{tenant}/apiKeys:generate";
      return (await unwrapBody(client.POST(generate, { params: { path }, body }))).key ?? "";
    },
    /** Creates an agent with one deployed revision. */
    deployAgent: async (id: string, revision: unknown, displayName = id) => {
      const body = { id, displayName };
      await client.POST("/v1/tenants/{tenant}/agents", { params: { path }, body });
      await send("POST", `${base}/agents/${id}/revisions`, revision);
      const revisionPath = { ...path, agent: id, revision: 1 };
      const deploy = "/v1/tenants/{tenant}/agents/{agent}/revisions/{revision}:deploy";
      await client.POST(deploy, { params: { path: revisionPath } });
    },
  };
};

/** Checks the format of problem details and returns them. */
export const expectProblem = (response: TestResponse) => {
  const problem = z
    .looseObject({
      type: z.string().regex(/^\/problems\/[a-z-]+$/),
      title: z.string().min(1),
      status: z.literal(response.status),
      detail: z.string().min(1),
      instance: z.string().startsWith("/"),
      requestId: z.literal(response.headers.get("x-request-id") ?? "no X-Request-Id header"),
    })
    .parse(response.body);
  const contentType = response.headers.get("content-type");
  if (contentType !== "application/problem+json") throw new Error(`a problem as ${contentType}`);
  return { ...problem, slug: problem.type.slice("/problems/".length) };
};

const wholeNumber = z.string().regex(/^\d+$/);

/** Checks the headers of every response. */
export const checkEveryHeader = ({ headers }: TestResponse): void => {
  for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]) {
    wholeNumber.parse(headers.get(name), { error: () => `${name} is no whole number` });
  }
  z.string().min(1).parse(headers.get("x-request-id"));
  for (const [name, value] of Object.entries(securityHeaders)) {
    // A response with a tag may be kept by its caller alone, such as the card of an agent.
    if (name === "Cache-Control" && headers.has("etag")) {
      z.string().startsWith("private, max-age=").parse(headers.get(name));
      continue;
    }
    z.literal(value, { error: () => `${name} is ${headers.get(name)}` }).parse(headers.get(name));
  }
};

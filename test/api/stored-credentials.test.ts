import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { expectProblem, newOrganization } from "../harness/api.ts";

const mask = "********";
const Created = z.looseObject({ id: z.string() });
const Refused = z.looseObject({ errors: z.array(z.looseObject({ pointer: z.string() })) });

/** A resource with stored credentials, a change of where they are used, and the change with new credentials. */
type Case = {
  path: string;
  create: object;
  /** A change that needs no new credentials. */
  harmless: object;
  moves: readonly object[];
  /** Credentials that, sent with a move, allow it. */
  again: object;
  pointer: string;
};

const auth = { parameters: { token: "very-secret" } };
const kept = { parameters: { token: mask } };
const own = "https://api.example.com/v1";
const attacker = "https://attacker.example";
const whsec = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const replyUrl = "https://chat.example.com/replies";

const cases: Record<string, Case> = {
  "an integration config's credentials": {
    path: "/integration-configs",
    create: {
      integrationId: "gitlab",
      parameters: { baseUrl: own, tools: [attacker, own, `${attacker}/x`] },
      auth,
    },
    harmless: { displayName: "Ours", auth: kept },
    moves: [
      { parameters: { baseUrl: attacker, tools: [] }, auth: kept },
      { parameters: { baseUrl: `${attacker}/x` } },
      { parameters: { baseUrl: "https://api.example.com/v2" }, auth: kept },
      { parameters: { baseUrl: `${own}@attacker.example` }, auth: kept },
      { parameters: {} },
    ],
    again: { auth },
    pointer: "/auth/parameters/token",
  },
  "an openapi config's credentials": {
    path: "/integration-configs",
    create: {
      integrationId: "openapi",
      parameters: { documentUrl: `${attacker}/openapi.json`, baseUrl: own },
      auth,
    },
    harmless: {
      parameters: { document: '{"servers":[{"url":"https://attacker.example"}]}', baseUrl: own },
      auth: kept,
    },
    moves: [
      { parameters: { documentUrl: `${attacker}/openapi.json` }, auth: kept },
      { parameters: { documentUrl: `${attacker}/openapi.json`, baseUrl: attacker } },
    ],
    again: { auth },
    pointer: "/auth/parameters/token",
  },
  "an mcp config's credentials": {
    path: "/integration-configs",
    create: { integrationId: "mcp", parameters: { url: `${own}/mcp`, tools: [attacker] }, auth },
    harmless: { parameters: { url: `${own}/mcp/`, tools: [attacker] }, auth: kept },
    moves: [
      { parameters: { url: attacker } },
      { parameters: { url: `${own}/other`, tools: [attacker] } },
    ],
    again: { auth },
    pointer: "/auth/parameters/token",
  },
  "a model provider's apiKey": {
    path: "/llm-providers",
    create: { type: "openai-compatible", baseUrl: own, apiKey: "very-secret" },
    harmless: { baseUrl: `${own}/`, defaultModel: "m" },
    moves: [{ baseUrl: attacker }, { baseUrl: "https://api.example.com/other" }],
    again: { apiKey: "very-secret" },
    pointer: "/apiKey",
  },
  "a Bedrock provider's apiKey": {
    path: "/llm-providers",
    create: { type: "bedrock", region: "eu-west-1", apiKey: "very-secret" },
    harmless: { defaultModel: "m" },
    moves: [{ region: "us-east-1" }, { baseUrl: attacker }],
    again: { apiKey: "very-secret" },
    pointer: "/apiKey",
  },
  "a connector's signingSecret": {
    path: "/agents/bot/connectors",
    create: { provider: "generic", parameters: { replyUrl, signingSecret: whsec } },
    harmless: { parameters: { replyUrl: `${replyUrl}?a=1`, signingSecret: mask } },
    moves: [
      { parameters: { replyUrl: attacker, signingSecret: mask } },
      { parameters: { replyUrl: "https://chat.example.com/x", signingSecret: mask } },
    ],
    again: { parameters: { replyUrl: attacker, signingSecret: whsec } },
    pointer: "/parameters/signingSecret",
  },
  "an event destination's signing secret": {
    path: "/event-destinations",
    create: { url: `${own}/events`, eventTypes: ["agent.execution.failed"] },
    harmless: { url: `${own}/events?a=1` },
    moves: [{ url: `${attacker}/events` }, { url: `${own}/others` }],
    again: { rotateSecret: true },
    pointer: "/rotateSecret",
  },
};

describe("stored credentials are sent only to the address that they were stored for:", () => {
  let organization: Awaited<ReturnType<typeof newOrganization>>;

  beforeAll(async () => {
    organization = await newOrganization();
    await organization.send("POST", "/agents", { id: "bot", displayName: "Bot" });
  });

  test.each(Object.entries(cases))("%s", async (_, { path, create, ...given }) => {
    const { id } = Created.parse((await organization.send("POST", path, create)).body);
    await organization.send("PATCH", `${path}/${id}`, given.harmless);
    for (const body of given.moves) {
      const problem = expectProblem(await organization.try("PATCH", `${path}/${id}`, { body }));
      expect(problem.slug).toBe("validation-failed");
      expect(Refused.parse(problem).errors.map(({ pointer }) => pointer)).toContain(given.pointer);
    }
    await organization.send("PATCH", `${path}/${id}`, { ...given.moves[0], ...given.again });
  });
});

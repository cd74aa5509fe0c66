import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "./listen.ts";

/** A request that the fake received. */
export type CheckRequest = { path: string; authorization: string | undefined; body: string };

/** A response: a status with a body. */
export type CheckReply = { status?: number; body: unknown };

/** The response of OpenAI's moderations endpoint. */
export const moderated = (...categories: readonly string[]): CheckReply => ({
  body: {
    id: "modr-1",
    model: "omni-moderation-latest",
    results: [
      {
        flagged: categories.length > 0,
        categories: {
          hate: false,
          ...Object.fromEntries(categories.map((category) => [category, true])),
        },
      },
    ],
  },
});

/** The response of ApplyGuardrail for entities with their actions. */
export const assessed = (
  ...piiEntities: readonly { type: string; match: string; action: "ANONYMIZED" | "BLOCKED" }[]
): CheckReply => ({
  body: {
    action: piiEntities.length > 0 ? "GUARDRAIL_INTERVENED" : "NONE",
    usage: { sensitiveInformationPolicyUnits: 1 },
    outputs: [],
    assessments:
      piiEntities.length > 0 ? [{ sensitiveInformationPolicy: { piiEntities, regexes: [] } }] : [],
  },
});

/** Starts a fake of OpenAI's moderations endpoint and of ApplyGuardrail of Amazon Bedrock on 127.0.0.1. */
export const startCheckServer = async (respond: (request: CheckRequest) => CheckReply) => {
  const requests: CheckRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const { url: path = "", headers } = incoming;
    const request = {
      path,
      authorization: headers.authorization,
      body: await text(incoming),
    };
    requests.push(request);
    const { status = 200, body } = respond(request);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  return { ...(await listen(server, 0)), requests };
};

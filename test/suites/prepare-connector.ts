import * as z from "zod";
import type { Route } from "../../lib/edge/route.ts";
import type { newOrganization } from "../harness/api.ts";
import type { InboundSample } from "./prepare-webhook.ts";

const verifyToken = "example-verify-token";

const parameters = {
  generic: { replyUrl: "https://chat.example.com/replies" },
  meta: { accessToken: "example-token", verifyToken },
  slack: { botToken: "xoxb-example" },
} as const;

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const create = async (own: Organization, provider: keyof typeof parameters): Promise<string> => {
  const body = { provider, parameters: parameters[provider] };
  const created = await own.send("POST", "/agents/hello/connectors", body);
  return z.object({ id: z.string() }).parse(created.body).id;
};

/** Creates a connector of `hello`; returns path parameters. */
export const prepareConnector = async (
  own: Organization,
  row: Route,
): Promise<Record<string, string>> =>
  row.group === "connectors" && !row.inbound ? { connector: await create(own, "generic") } : {};

/** Creates a connector for a row that receives its provider's messages, and the key of its URL. */
export const prepareMessage = async (
  own: Organization,
  row: Route,
): Promise<InboundSample | undefined> => {
  if (row.group !== "connectors" || !row.inbound) return undefined;
  const connectorProvider = row.method === "GET" ? "meta" : "slack";
  const params = {
    connectorProvider,
    connectorId: await create(own, connectorProvider),
    apiKeyAuth: await own.mintKey(["inbound:deliver"]),
  };
  const query = `?hub.mode=subscribe&hub.challenge=12345&hub.verify_token=${verifyToken}`;
  return row.method === "GET" ? { params, query } : { params };
};

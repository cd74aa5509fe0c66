import { expect, vi } from "vitest";
import * as z from "zod";
import type { Route } from "../../lib/edge/route.ts";
import { call, type newOrganization } from "../harness/api.ts";
import { sampleParams } from "./sample-request.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const Created = z.looseObject({ id: z.string() });
const Items = z.looseObject({ items: z.array(Created) });

/** Creates a connector of `hello` that requires access requests, and a function that sends messages to it. */
export const connectorToAskAt = async (own: Organization) => {
  const created = await own.send("POST", "/agents/hello/connectors", {
    provider: "generic",
    parameters: { replyUrl: "https://chat.example.com/replies" },
    policy: "RequireApproval",
  });
  const { id: connector } = Created.parse(created.body);
  const key = await own.mintKey(["inbound:deliver"]);
  let count = 0;
  return {
    connector,
    /** Sends a chat user's message; there is no reply, because the connector has no onboarding message. */
    write: async (user: { id: string; name?: string }, text = "Let me in"): Promise<void> => {
      count += 1;
      const body = {
        id: `${user.id}-${count}`,
        user,
        conversation: { id: `with-${user.id}`, name: "Support" },
        text,
      };
      const path = `${own.base}/connectors/generic/${connector}/${key}`;
      const { status, text: response } = await call("POST", path, { body });
      if (status !== 204) throw new Error(`the message returned ${status} ${response}`);
    },
  };
};

/** Returns the items of a list once it has that many. */
export const waitForItems = (own: Organization, path: string, count: number) =>
  vi.waitFor(
    async () => {
      const { items } = Items.parse((await own.send("GET", path)).body);
      expect(items).toHaveLength(count);
      return items;
    },
    { timeout: 15_000 },
  );

/** Creates a chat user and their access request, for the rows that need them. */
export const prepareAccessRequest = async (
  own: Organization,
  row: Route,
): Promise<Record<string, string>> => {
  const { accessRequest, chatUser } = sampleParams(row);
  if (accessRequest === undefined && chatUser === undefined) return {};
  const { write } = await connectorToAskAt(own);
  await write({ id: "U1", name: "Ada" });
  const [request] = await waitForItems(own, "/agents/hello/chatUserAccessRequests", 1);
  const [user] = await waitForItems(own, "/agents/hello/chatUsers", 1);
  return { accessRequest: request?.id ?? "", chatUser: user?.id ?? "" };
};

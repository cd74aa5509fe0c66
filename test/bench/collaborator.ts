import * as z from "zod";
import type { CountedStack } from "./counted-stack.ts";
import { deployAgent } from "./objects.ts";

/** The user of the keys and tokens, an Editor of the agents that the stack deploys. */
const userId = "collaborator@example.com";

const Issued = z.object({ key: z.string() });

/** A stack with the key of an ordinary collaborator, and ways to call as others. */
export type CollaboratorStack = CountedStack & {
  /** Credentials of each kind of caller. */
  callers: Record<"service key" | "collaborator's key" | "collaborator", Record<string, string>>;
  /** Creates an agent with a deployed revision, of which the user is an Editor; returns its path. */
  deployAgent: (id: string, revision: object) => Promise<string>;
  /** Calls as a caller and throws for a failure. */
  sendAs: (caller: Record<string, string>, path: string, body: unknown) => Promise<void>;
};

/**
 * Returns the stack as an ordinary collaborator uses it: by a key of a user, so that every call
 * reads the user's role.
 */
export const asCollaborator = async (stack: CountedStack): Promise<CollaboratorStack> => {
  const { baseUrl, tenantPath } = stack;
  const token = await stack.token({ org: "local", role: "admin", user: userId });
  const user = { authorization: `Bearer ${token}` };
  const post = async (headers: Record<string, string>, path: string, body: unknown) => {
    const response = await fetch(baseUrl + path, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} returned ${response.status} ${text}`);
    return text;
  };
  const keys = `${tenantPath}/apiKeys:generate`;
  const minted = await post(user, keys, { name: "collaborator", preset: "Admin" });
  const { key } = Issued.parse(JSON.parse(minted));
  const send: CountedStack["send"] = (method, path, body, headers) =>
    stack.send(method, path, body, { "x-api-key": key, ...headers });
  return {
    ...stack,
    apiKey: key,
    send,
    callers: {
      "service key": { "x-api-key": stack.apiKey },
      "collaborator's key": { "x-api-key": key },
      collaborator: user,
    },
    deployAgent: async (id, revision) => {
      const path = await deployAgent(stack, id, revision);
      const collaborator = `${path}/collaborators/${encodeURIComponent(userId)}`;
      await stack.send("PUT", collaborator, { role: "Editor" });
      return path;
    },
    sendAs: async (caller, path, body) => {
      await post(caller, path, body);
    },
  };
};

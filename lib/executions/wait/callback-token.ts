import * as z from "zod";
import { ChosenId, Uuid } from "../../platform/http/ids.ts";
import { readToken, signToken } from "../../tenancy/tenant/signed-token.ts";

/** A wait for a callback. */
export type CallbackClaims = {
  /** The execution that is continued: the one that waits, or its outermost caller. */
  root: { agentId: string; executionId: string };
  executionId: string;
  path: string;
};

const Payload = z.tuple([ChosenId, Uuid, Uuid, z.string()]).transform(
  ([agentId, rootId, executionId, path]): CallbackClaims => ({
    root: { agentId, executionId: rootId },
    executionId,
    path,
  }),
);

const purpose = "callbacks";

/** Returns the signed end of a callback's address, the same in every run of the execution. */
export const signCallback = (
  secret: string,
  tenantId: string,
  { root, executionId, path }: CallbackClaims,
): string =>
  signToken({ secret, tenantId, purpose }, [root.agentId, root.executionId, executionId, path]);

/** Returns the wait that an address was signed for; undefined for any other text. */
export const readCallback = (
  secret: string,
  tenantId: string,
  token: string,
): CallbackClaims | undefined => {
  const content = readToken({ secret, tenantId, purpose }, token);
  return content === undefined ? undefined : Payload.parse(content);
};

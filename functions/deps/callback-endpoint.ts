import { createCallbackEndpoint } from "../../lib/edge/callback-endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { rateLimitSettings } from "../../lib/platform/runtime/env.ts";

/** Creates the Lambda handler of an address to which another server sends a browser back. */
export const callbackEndpoint = createCallbackEndpoint({ database, limits: rateLimitSettings });

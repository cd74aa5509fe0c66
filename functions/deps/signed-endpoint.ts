import { createSignedEndpoint } from "../../lib/edge/signed-endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { rateLimitSettings } from "../../lib/platform/runtime/env.ts";

/** Creates the Lambda handler of an address with a signature at the end of its path. */
export const signedEndpoint = createSignedEndpoint({ database, limits: rateLimitSettings });

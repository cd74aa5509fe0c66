import { createEndpoint } from "../../lib/edge/endpoint.ts";
import { edgeDeps } from "./edge-deps.ts";

/** Creates the Lambda handler of a row that needs credentials. */
export const endpoint = createEndpoint(edgeDeps);

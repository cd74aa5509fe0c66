import { createStreamedEndpoint } from "../../lib/edge/streamed-endpoint.ts";
import { edgeDeps } from "./edge-deps.ts";

/** Creates the Lambda handler of a row that streams. */
export const streamedEndpoint = createStreamedEndpoint(edgeDeps);

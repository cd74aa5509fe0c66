import document from "../../docs/openapi.json" with { type: "json" };
import { publicEndpoint } from "../../lib/edge/public-endpoint.ts";
import { Reply } from "../../lib/edge/respond.ts";
import * as rows from "./routes.ts";

const reply = new Reply(JSON.stringify(document), { "Content-Type": "application/json" });

export const handler = publicEndpoint(rows.getOpenapi, () => reply);

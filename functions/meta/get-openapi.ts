import document from "../../docs/openapi.json" with { type: "json" };
import { publicEndpoint } from "../../lib/http/public-endpoint.ts";
import { Reply } from "../../lib/http/respond.ts";
import { getOpenapi } from "./routes.ts";

const reply = new Reply(JSON.stringify(document), { "Content-Type": "application/json" });

export const handler = publicEndpoint(getOpenapi, () => reply);

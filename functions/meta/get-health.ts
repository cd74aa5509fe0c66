import { publicEndpoint } from "../../lib/edge/public-endpoint.ts";
import * as rows from "./routes.ts";

export const handler = publicEndpoint(rows.getHealth, () => ({ status: "ok" as const }));

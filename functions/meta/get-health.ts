import { publicEndpoint } from "../../lib/http/public-endpoint.ts";
import { getHealth } from "./routes.ts";

export const handler = publicEndpoint(getHealth, () => ({ status: "ok" as const }));

import document from "../../docs/openapi.json" with { type: "json" };
import { publicEndpoint } from "../../lib/edge/public-endpoint.ts";
import { Reply } from "../../lib/edge/respond.ts";
import * as rows from "./routes.ts";

/** The document around its servers, which depend on the caller's address. */
const [start, end] = (() => {
  const { openapi, info, servers: _, ...rest } = document;
  return [JSON.stringify({ openapi, info }).slice(0, -1), JSON.stringify(rest).slice(1)] as const;
})();

export const handler = publicEndpoint(rows.getOpenapi, ({ ctx }) => {
  const servers = JSON.stringify([{ url: ctx.linkBase === "" ? "/" : ctx.linkBase }]);
  return new Reply(`${start},"servers":${servers},${end}`, { "Content-Type": "application/json" });
});

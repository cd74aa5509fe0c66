import type * as z from "zod";
import { Uuid } from "../http/ids.ts";

/** Id of a tenant that the caller may touch: comes only out of a parsed tenant item or a queue message. */
export const TenantId = Uuid.brand<"TenantId">();
export type TenantId = z.output<typeof TenantId>;

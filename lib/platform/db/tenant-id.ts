import type * as z from "zod";
import { Uuid } from "../http/ids.ts";

/** Id of a tenant that the caller may access; parsed only from tenant items and queue messages. */
export const TenantId = Uuid.brand<"TenantId">();
export type TenantId = z.output<typeof TenantId>;

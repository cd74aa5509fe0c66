import type { Database } from "../../lib/platform/db/database.ts";
import { stack } from "./api.ts";
import { connectToTable } from "./connect-table.ts";

/** Connects to the table of the running stack. */
export const tableOfStack = (): Database => connectToTable(stack());

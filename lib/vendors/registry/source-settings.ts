import * as z from "zod";
import { readEnvironment } from "../../platform/runtime/env.ts";
import { vendorSettings } from "./settings.ts";

/** Settings of the deployment for the sources of all vendors. */
export const sourceSettings = readEnvironment(z.object(vendorSettings));

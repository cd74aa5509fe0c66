import * as z from "zod";
import { defineSource } from "../../vendors/source.ts";

/** The source of documents that are uploaded to the asset itself: there is nothing to read elsewhere. */
export const upload = defineSource({
  key: "upload",
  displayName: "Uploaded documents",
  parameters: z.object({}),
  async *read() {},
});

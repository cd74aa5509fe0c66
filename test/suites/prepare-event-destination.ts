import * as z from "zod";
import type { Route } from "../../lib/edge/route.ts";
import type { newOrganization } from "../harness/api.ts";

const Created = z.looseObject({ id: z.string() });

/** Creates an event destination; returns path parameters. */
export const prepareEventDestination = async (
  own: Awaited<ReturnType<typeof newOrganization>>,
  row: Route,
): Promise<Record<string, string>> => {
  if (row.group !== "event-destinations") return {};
  const created = await own.send("POST", "/event-destinations", {
    url: "https://events.example.com/wharf",
    eventTypes: ["agent.execution.failed"],
  });
  return { destination: Created.parse(created.body).id };
};

import * as z from "zod";
import { Timestamp, Uuid } from "../../platform/http/ids.ts";
import { pageSchema } from "../../platform/http/paging.ts";
import { organizationEventTypes as knownTypes } from "../../platform/outbox/organization-event.ts";
import { maxAddressLength } from "../../platform/outgoing/parse-address.ts";
import { limitedRecord } from "../../values/json/limited-record.ts";
import { nullAs } from "../../values/json/null-as.ts";

const eventTypes = z.array(z.enum(knownTypes)).meta({
  description: "Types of the events to send.",
  example: ["agent.execution.failed"],
});

const types = ["webhook", "otlp"] as const;
const content = z.enum(["none", "outputs", "all"]).meta({
  description: "The inputs and outputs that exported traces contain.",
});

/** An event destination in API responses. */
export const EventDestination = z
  .object({
    id: Uuid,
    type: z.enum(types),
    url: z.string().meta({ description: "Of a destination of type otlp, its endpoint." }),
    endpoint: z.string().nullable(),
    headerNames: z
      .array(z.string())
      .meta({ description: "Names of the headers of type otlp; their values are not returned." }),
    content: content.nullable(),
    eventTypes,
    description: z.string().nullable(),
    active: z
      .boolean()
      .meta({ description: "Whether events are sent; a 410 response sets it to false." }),
    lastDelivery: z
      .object({
        at: Timestamp,
        status: z.int().nullable().meta({ description: "Null when there was no response." }),
      })
      .nullable()
      .meta({ description: "Result of the last delivery, to the minute." }),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
    signingSecret: z
      .string()
      .nullable()
      .meta({ description: "`whsec_…`, shown only in the response that creates it." }),
  })
  .meta({ id: "EventDestination" });
export type EventDestination = z.output<typeof EventDestination>;

/** A page of event destinations, oldest first. */
export const EventDestinationPage = pageSchema(EventDestination, "EventDestinationPage");

const url = z.string().min(1).max(maxAddressLength).meta({
  description: "An https URL with a public address. Events are sent by POST.",
  example: "https://example.com/wharf-events",
});
const endpoint = url.meta({
  description: "An https URL with a public address that receives OTLP/HTTP, the path included.",
  example: "https://otlp.example.com/v1/traces",
});
const headers = limitedRecord(
  z
    .string()
    .regex(
      /^(?!(?:host|connection|content-length|transfer-encoding)$)[\w!#$%&'*+.^`|~-]{1,128}$/i,
      "must be the name of a header",
    ),
  z
    .string()
    .regex(
      /^[\u0021-\u007e](?:[\u0020-\u007e]{0,4094}[\u0021-\u007e])?$/,
      "must be the value of a header",
    ),
  20,
).meta({
  description: "Headers of each request, such as credentials. Stored encrypted and never returned.",
  example: { Authorization: "Bearer REPLACE_ME" },
});
const chosenTypes = eventTypes
  .min(1)
  .max(100)
  .transform((types) => [...new Set(types)]);
const description = z.string().max(200).meta({ example: "Incident channel" });

/** Request body of creating an event destination. */
export const CreateEventDestinationBody = z
  .object({
    type: nullAs(z.enum(types), "webhook").meta({
      description:
        "`webhook` receives signed events: requires `url` and `eventTypes`. `otlp` receives the trace of each ended execution as OTLP/HTTP JSON: requires `endpoint`.",
    }),
    url: url.nullish(),
    eventTypes: chosenTypes.nullish(),
    endpoint: endpoint.nullish(),
    headers: headers.nullish(),
    content: content.nullish(),
    description: description.nullish(),
    active: nullAs(z.boolean(), true),
  })
  .meta({
    id: "CreateEventDestinationBody",
    example: { url: "https://example.com/wharf-events", eventTypes: ["agent.execution.failed"] },
  });
export type CreateEventDestinationBody = z.output<typeof CreateEventDestinationBody>;

/** Request body of updating an event destination: omitted members are unchanged, null clears the description. */
export const UpdateEventDestinationBody = z
  .object({
    url: url.optional(),
    eventTypes: chosenTypes.optional(),
    endpoint: endpoint.optional(),
    headers: headers.nullish(),
    content: content.optional(),
    description: description.nullish(),
    active: z.boolean().optional(),
    rotateSecret: z.boolean().optional().meta({
      description:
        "Creates a new signing secret, which a change of `url` requires. The previous one also signs for 24 hours, unless the `url` changes.",
    }),
  })
  .meta({ id: "UpdateEventDestinationBody", example: { active: true } });
export type UpdateEventDestinationBody = z.output<typeof UpdateEventDestinationBody>;

/** Response of testing an event destination. */
export const EventDestinationTest = z
  .object({
    status: z
      .int()
      .meta({ description: "HTTP status of the response, such as 204.", example: 204 }),
  })
  .meta({ id: "EventDestinationTest" });
export type EventDestinationTest = z.output<typeof EventDestinationTest>;

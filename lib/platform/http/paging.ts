import * as z from "zod";

const wholeNumber = /^(0|[1-9]\d*)$/;

/** A whole number in a query string, within limits; `fallback` when it is absent. */
export const queryInteger = (min: number, max: number, fallback: number, description: string) =>
  z
    .string()
    .regex(wholeNumber, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .default(fallback)
    .meta({
      description,
      override: { type: "integer", minimum: min, maximum: max, default: fallback },
    });

/** A whole number in a query string, within limits; undefined when it is absent. */
export const optionalInteger = (min: number, max: number, description: string) =>
  z
    .string()
    .regex(wholeNumber, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .optional()
    .meta({ description, override: { type: "integer", minimum: min, maximum: max } });

/** The two query parameters of every paged list. */
export const pagingQuery = {
  PageSize: queryInteger(1, 200, 50, "Number of items in a page."),
  "PageToken.Skip": queryInteger(
    0,
    2_147_483_647,
    0,
    "Number of items to skip: `nextPageToken` of the previous page.",
  ),
} as const;

/** The requested part of a list. */
export type PageRequest = { size: number; skip: number };

/** Reads the paging parameters of a parsed query. */
export const toPageRequest = (query: {
  PageSize: number;
  "PageToken.Skip": number;
}): PageRequest => ({ size: query.PageSize, skip: query["PageToken.Skip"] });

/** A page as the stores give it. */
export type Page<Item> = { items: Item[]; nextPageToken: string | null };

/** Schema of a page of `item`. */
export const pageSchema = <Item extends z.ZodType>(item: Item, id: string) =>
  z
    .object({
      items: z.array(item),
      nextPageToken: z.string().nullable().meta({
        description: "Value of `PageToken.Skip` for the next page; null on the last page.",
      }),
    })
    .meta({ id });

const [earliest, latest] = [-(2n ** 63n), 2n ** 63n - 1n];
/** A point in time in a query string, an int64 of Unix milliseconds; undefined when it is absent. */
export const queryTime = (description: string) =>
  z
    .string()
    .regex(/^(0|-?[1-9]\d{0,18})$/, { error: "must be a time in Unix milliseconds", abort: true })
    .refine((text) => {
      const time = BigInt(text);
      return time >= earliest && time <= latest;
    }, "must be a time in Unix milliseconds, an int64")
    .transform(Number)
    .optional()
    .meta({ description, override: { type: "integer", format: "int64" } });

/** The page with each of its items mapped. */
export const mapPage = <From, To>(
  { items, nextPageToken }: Page<From>,
  map: (item: From) => To,
): Page<To> => ({
  items: items.map(map),
  nextPageToken,
});

/** A flag in a query string, `true` or `false`; false when it is absent. */
export const queryFlag = (description: string) =>
  z
    .enum(["true", "false"], "must be true or false")
    .transform((value) => value === "true")
    .default(false)
    .meta({ description, override: { type: "boolean", default: false } });

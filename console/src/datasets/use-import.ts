import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { unwrapBody } from "../../../client/client.ts";
import { ProblemError } from "../../../client/problem-error.ts";
import type { Imported } from "../../../lib/evaluation/dataset/import/import-examples.ts";
import type { ImportFormat, ImportNames } from "../../../lib/evaluation/dataset/import/imported.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { splitBatches } from "./import-batches.ts";
import { datasetNames } from "./use-datasets.ts";

/** Options for reading a file. */
export type ImportOptions = ImportNames & { format?: ImportFormat | undefined };

/** Reads the examples of a file in the browser. */
export const useImported = (file: File | undefined, options: ImportOptions) => {
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "imported", file?.name, file?.size, file?.lastModified, options],
    enabled: file !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async (): Promise<Imported> => {
      const { config } = await import("zod");
      // The Content-Security-Policy does not permit functions made of text.
      config({ jitless: true });
      const [{ importExamples }, text] = await Promise.all([
        import("../../../lib/evaluation/dataset/import/import-examples.ts"),
        file?.text() ?? "",
      ]);
      return importExamples(text, options);
    },
  });
};

/** A refused example: its place in the file, and why. */
export type RefusedExample = { place: string; detail: string };

type SentImport = Pick<Imported, "items" | "places">;

/**
 * Adds the examples of a file to a dataset, in as few requests as possible. `sent` of them were
 * added: after a refusal, the next attempt continues there.
 */
export const useImport = (dataset: string) => {
  const [sent, setSent] = useState(0);
  const [refused, setRefused] = useState<RefusedExample[]>([]);
  const action = useAction(datasetNames, async ({ client, tenant }, read: SentImport) => {
    setRefused([]);
    for (const { start, items } of splitBatches(read.items.slice(sent))) {
      const params = { path: { tenant, dataset } };
      try {
        await unwrapBody(
          client.POST("/v1/tenants/{tenant}/datasets/{dataset}/examples", {
            params,
            body: { items },
          }),
        );
      } catch (error) {
        setRefused(refusedExamples(error, read.places.slice(sent + start)));
        throw error;
      }
      setSent(sent + start + items.length);
    }
  });
  const restart = (): void => {
    setSent(0);
    setRefused([]);
    action.reset();
  };
  return { ...action, sent, refused, restart };
};

/** Converts pointers such as `/items/3/input` to the places of the file. */
const refusedExamples = (error: unknown, places: readonly string[]): RefusedExample[] => {
  if (!(error instanceof ProblemError)) return [];
  return error.fields.flatMap(({ pointer, detail }) => {
    const [, items, at, ...members] = pointer.split("/");
    const place = items === "items" ? places[Number(at)] : undefined;
    const member = members.map((name) => `/${name}`).join("");
    return place === undefined ? [] : [{ place, detail: `${member} ${detail}`.trim() }];
  });
};

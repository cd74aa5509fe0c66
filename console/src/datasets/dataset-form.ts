import type { CreateDatasetBody, Dataset } from "../../../client/openapi.ts";
import { isRecord } from "../flow-graph/members.ts";
import { fromJson } from "./json-text.ts";

/** Typed members of a dataset. */
export type DatasetForm = {
  id: string;
  displayName: string;
  description: string;
  inputSchema: string;
};

/** The form of a new dataset. */
export const emptyDatasetForm: DatasetForm = {
  id: "",
  displayName: "",
  description: "",
  inputSchema: "",
};

/** Pointers that the fields show. */
export const datasetPointers = ["/id", "/displayName", "/description", "/inputSchema"] as const;

/** Converts a dataset to its form. */
export const toDatasetForm = (dataset: Dataset): DatasetForm => ({
  id: dataset.id,
  displayName: dataset.displayName,
  description: dataset.description ?? "",
  inputSchema: dataset.inputSchema === null ? "" : JSON.stringify(dataset.inputSchema, null, 2),
});

/** Returns the typed input schema: an object, null for none, undefined if it is neither. */
export const parseSchema = ({ inputSchema }: DatasetForm) => {
  const read = fromJson(inputSchema);
  if (!read.ok) return undefined;
  if (read.value === null) return null;
  return isRecord(read.value) ? { ...read.value } : undefined;
};

/** Converts a form to a request's body; undefined while the schema is not a JSON object. */
export const toDatasetBody = (form: DatasetForm): CreateDatasetBody | undefined => {
  const inputSchema = parseSchema(form);
  if (inputSchema === undefined) return undefined;
  const { id, displayName, description } = form;
  return {
    displayName,
    description: description === "" ? null : description,
    inputSchema,
    ...(id !== "" && { id }),
  };
};

import { createDefineRoute } from "../../lib/edge/route.ts";
import {
  AddExamplesBody,
  AddedExamples,
  AddFromExecutionsBody,
  CreateDatasetBody,
  Dataset,
  DatasetPage,
  Example,
  ExamplePage,
  Split,
  UpdateDatasetBody,
} from "../../lib/evaluation/dataset/schemas.ts";
import { ChosenId } from "../../lib/platform/http/ids.ts";
import { optionalInteger, pagingQuery } from "../../lib/platform/http/paging.ts";

const route = createDefineRoute("datasets");
const dataset = ChosenId.meta({ example: "support" });
const example = ChosenId.meta({ example: "greeting" });
const version = optionalInteger(0, 2_147_483_647, "The newest version by default.");

export const listDatasets = route({
  operation: "list-datasets",
  method: "GET",
  path: "/v1/tenants/{tenant}/datasets",
  summary: "Lists datasets by id",
  scope: "datasets:read",
  query: pagingQuery,
  response: { status: 200, schema: DatasetPage },
  access: { table: "read" },
});

export const createDataset = route({
  operation: "create-dataset",
  creates: "Dataset",
  method: "POST",
  path: "/v1/tenants/{tenant}/datasets",
  summary: "Creates a dataset",
  scope: "datasets:write",
  body: CreateDatasetBody,
  response: { status: 201, schema: Dataset },
  problems: ["conflict"],
  access: { table: "write" },
});

export const getDataset = route({
  operation: "get-dataset",
  method: "GET",
  path: "/v1/tenants/{tenant}/datasets/{dataset}",
  summary: "Retrieves a dataset",
  scope: "datasets:read",
  params: { dataset },
  response: { status: 200, schema: Dataset },
  access: { table: "read" },
});

export const updateDataset = route({
  operation: "update-dataset",
  changes: "Dataset",
  method: "PATCH",
  path: "/v1/tenants/{tenant}/datasets/{dataset}",
  summary: "Changes a dataset's name, description or input schema",
  scope: "datasets:write",
  params: { dataset },
  body: UpdateDatasetBody,
  response: { status: 200, schema: Dataset },
  access: { table: "write" },
});

export const deleteDataset = route({
  operation: "delete-dataset",
  changes: "Dataset",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/datasets/{dataset}",
  summary: "Deletes a dataset with all versions of its examples",
  scope: "datasets:write",
  params: { dataset },
  response: { status: 204 },
  problems: ["conflict"],
  access: { table: "write", publishes: ["housekeeping"] },
});

export const listExamples = route({
  operation: "list-examples",
  method: "GET",
  path: "/v1/tenants/{tenant}/datasets/{dataset}/examples",
  summary:
    "Lists the examples of a version by id; a page may hold fewer than PageSize when examples are large",
  scope: "datasets:read",
  params: { dataset },
  query: {
    ...pagingQuery,
    version,
    split: Split.optional().meta({ description: "Returns only examples of this split." }),
  },
  response: { status: 200, schema: ExamplePage },
  access: { table: "read", bucket: "read" },
});

export const getExample = route({
  operation: "get-example",
  method: "GET",
  path: "/v1/tenants/{tenant}/datasets/{dataset}/examples/{example}",
  summary: "Retrieves an example as it is in a version",
  scope: "datasets:read",
  params: { dataset, example },
  query: { version },
  response: { status: 200, schema: Example },
  access: { table: "read", bucket: "read" },
});

export const addExamples = route({
  operation: "add-examples",
  changes: "Dataset",
  method: "POST",
  path: "/v1/tenants/{tenant}/datasets/{dataset}/examples",
  summary: "Adds examples, or replaces those with the same ids, as a new version",
  scope: "datasets:write",
  params: { dataset },
  body: AddExamplesBody,
  response: { status: 201, schema: AddedExamples },
  problems: ["conflict"],
  access: { table: "write", bucket: "write" },
});

export const deleteExample = route({
  operation: "delete-example",
  changes: "Dataset",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/datasets/{dataset}/examples/{example}",
  summary: "Removes an example, as a new version; earlier versions keep it",
  scope: "datasets:write",
  params: { dataset, example },
  response: { status: 204 },
  problems: ["conflict"],
  access: { table: "write" },
});

export const addExamplesFromExecutions = route({
  operation: "add-examples-from-executions",
  changes: "Dataset",
  method: "POST",
  path: "/v1/tenants/{tenant}/datasets/{dataset}/examples:from-executions",
  summary:
    "Adds examples with the inputs and outputs of executions, without secrets; requires executions:read, too",
  scope: "datasets:write",
  params: { dataset },
  body: AddFromExecutionsBody,
  response: { status: 201, schema: AddedExamples },
  problems: ["conflict"],
  access: { table: "write", bucket: "write" },
});

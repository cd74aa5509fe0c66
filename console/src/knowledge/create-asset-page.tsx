import { Button, Group, NativeSelect, SimpleGrid, Stack } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import type { SourceType } from "../../../client/openapi.ts";
import { useCreateAsset, useEstimate, useSourceTypes } from "../asset-queries/use-assets.ts";
import { useTenant } from "../session/tenant.ts";
import { Page } from "../shared/page.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { fieldError } from "../shared/problem.ts";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { useIsStillHere } from "../shared/use-is-still-here.ts";
import { AssetFields } from "./asset-fields.tsx";
import { assetPointers, emptyAssetForm, toCreateBody } from "./asset-form.ts";
import { EstimatePanel } from "./estimate-panel.tsx";
import { uploadType } from "./source-types.ts";

const route = getRouteApi("/t/$tenant/knowledge/new");

/** Creates an asset; shows an estimate of its source next to the form. */
export const CreateAssetPage = () => {
  const tenant = useTenant();
  const { data: types, error } = useSourceTypes();
  return (
    <Page
      title="Create asset"
      back={`/t/${tenant}/knowledge`}
      description="A source of documents that agents search. Credentials are encrypted and never shown."
    >
      <ReadProblem error={error} />
      {types ? <CreateAssetForm types={[uploadType, ...types]} /> : !error && <PageLoader />}
    </Page>
  );
};

const CreateAssetForm = ({ types }: { types: readonly SourceType[] }) => {
  const { tenant } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const startAction = useIsStillHere();
  const [form, setForm] = useState({ ...emptyAssetForm, id: search.id ?? "" });
  const create = useCreateAsset();
  const estimate = useEstimate();
  const type = types.find(({ key }) => key === search.type) ?? uploadType;
  const isUpload = type.key === uploadType.key;
  // Both requests have the same parameters, so the latest error applies.
  const error = create.error ?? estimate.error;
  const chooseType = (key: string): void => {
    create.reset();
    estimate.reset();
    void navigate({
      to: "/t/$tenant/knowledge/new",
      params: { tenant },
      search: { ...search, type: key },
      replace: true,
    });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const isStillHere = startAction();
    estimate.reset();
    create.mutate(
      { body: toCreateBody(type, form), isSynced: !isUpload },
      {
        onSuccess: ({ id }) => {
          if (!isStillHere()) return;
          void navigate({
            to: "/t/$tenant/knowledge/assets/$asset",
            params: { tenant, asset: id },
          });
        },
      },
    );
  };
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" maw={1200} style={{ alignItems: "start" }}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <NativeSelect
            label="Source"
            data={types.map(({ key, displayName }) => ({ value: key, label: displayName }))}
            value={type.key}
            onChange={({ currentTarget }) => chooseType(currentTarget.value)}
            error={fieldError(create.error, "/type")}
          />
          <AssetFields type={type} form={form} onChange={setForm} error={error} isNew />
          <ProblemAlert error={create.error} shownAt={assetPointers(type)} />
          <Group>
            <Button type="submit" loading={create.isPending}>
              {isUpload ? "Create" : "Create and sync"}
            </Button>
          </Group>
        </Stack>
      </form>
      <EstimatePanel
        type={type}
        texts={form.parameters}
        estimate={estimate}
        onEstimate={create.reset}
      />
    </SimpleGrid>
  );
};

import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { unwrapBody } from "../../../client/client.ts";
import type { Tenant } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { textField } from "../shared/text-field.ts";
import { useAction } from "../shared/use-action.ts";

type CreateTenantDialogProps = { onCreated: (tenant: Tenant) => void; onClose: () => void };

/** Creates a tenant of the organization. */
export const CreateTenantDialog = ({ onCreated, onClose }: CreateTenantDialogProps) => {
  const [form, setForm] = useState({ displayName: "", slug: "" });
  const cache = useQueryClient();
  const { mutate, error, isPending } = useAction([], async ({ client }) => {
    const tenant = await unwrapBody(client.POST("/v1/tenants", { body: form }));
    await cache.invalidateQueries({ queryKey: ["tenants"] });
    return tenant;
  });
  const state = { form, onChange: setForm, error };
  return (
    <FormDialog
      title="Create tenant"
      action="Create"
      error={error}
      shownAt={["/displayName", "/slug"]}
      isPending={isPending}
      onSubmit={() => mutate(undefined, { onSuccess: onCreated })}
      onClose={onClose}
    >
      <TextInput label="Name" data-autofocus {...textField(state, "displayName")} />
      <TextInput
        label="Slug"
        description="Used in addresses, such as my-team. It cannot be changed later."
        {...textField(state, "slug")}
      />
    </FormDialog>
  );
};

import { Button, Container, Stack, TextInput, Title } from "@mantine/core";
import { createLazyRoute, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";

const ChooseTenantPage = () => {
  const navigate = useNavigate();
  const [tenant, setTenant] = useState("");
  const open = (event: FormEvent): void => {
    event.preventDefault();
    void navigate({ to: "/t/$tenant", params: { tenant: tenant.trim() } });
  };
  return (
    <Container size="xs" py="xl" component="main">
      <form onSubmit={open}>
        <Stack>
          <Title order={1}>Choose a tenant</Title>
          <TextInput
            label="Tenant"
            description="Its slug or ID. Ask an administrator of your organization."
            required
            value={tenant}
            onChange={(event) => setTenant(event.currentTarget.value)}
          />
          <Button type="submit"> Open tenant </Button>
        </Stack>
      </form>
    </Container>
  );
};

export const lazyRoute = createLazyRoute("/")({ component: ChooseTenantPage });

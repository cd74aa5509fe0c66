import { Checkbox, Group, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Collaborator, CollaboratorRole } from "../../../../client/openapi.ts";
import { usePutCollaborator } from "../../agent-queries/use-collaborators.ts";
import { FormDialog } from "../../shared/form-dialog.tsx";
import { fieldError } from "../../shared/problem.ts";

const roles: readonly { value: CollaboratorRole; label: string }[] = [
  { value: "Viewer", label: "Viewer: reads the agent" },
  { value: "Editor", label: "Editor: runs and changes the agent" },
  { value: "Owner", label: "Owner: full access" },
];

const alerts = [
  { name: "errorAlerts", label: "Errors" },
  { name: "budgetAlerts", label: "Budget thresholds" },
  { name: "approvalAlerts", label: "Approvals" },
  { name: "accessRequestAlerts", label: "Access requests of chat users" },
] as const;

/** Names of the alerts that a collaborator gets. */
export const alertNames = ({ alertPreferences }: Collaborator): string[] =>
  alerts.filter(({ name }) => alertPreferences[name]).map(({ label }) => label);

type CollaboratorDialogProps = {
  agent: string;
  /** Absent to invite a user. */
  collaborator?: Collaborator | undefined;
  onClose: () => void;
};

const orNull = (text: string): string | null => (text === "" ? null : text);

/** Invites a user to an agent, or changes a collaborator. */
export const CollaboratorDialog = ({ agent, collaborator, onClose }: CollaboratorDialogProps) => {
  const [user, setUser] = useState(collaborator?.userId ?? "");
  const [role, setRole] = useState<CollaboratorRole>(collaborator?.role ?? "Editor");
  const [email, setEmail] = useState(collaborator?.email ?? "");
  const [firstName, setFirstName] = useState(collaborator?.firstName ?? "");
  const [lastName, setLastName] = useState(collaborator?.lastName ?? "");
  const [chosen, setChosen] = useState<string[]>(
    alerts.map(({ name }) => name).filter((name) => collaborator?.alertPreferences[name]),
  );
  const [isMissing, setIsMissing] = useState(false);
  const { mutate, error, isPending } = usePutCollaborator(agent);
  const alertPreferences = Object.fromEntries(
    alerts.map(({ name }) => [name, chosen.includes(name)]),
  );
  const body = {
    // An invitation by address has it as its address for alerts.
    ...{ role, alertPreferences, ...(collaborator && { email: orNull(email) }) },
    ...{ firstName: orNull(firstName), lastName: orNull(lastName) },
  };
  return (
    <FormDialog
      title={collaborator ? `Edit ${collaborator.userId}` : "Invite collaborator"}
      action={collaborator ? "Save" : "Invite"}
      error={error}
      shownAt={["path/user", "/role", "/email", "/firstName", "/lastName"]}
      isPending={isPending}
      onSubmit={() => {
        setIsMissing(user.trim() === "");
        if (user.trim() !== "") mutate({ user: user.trim(), body }, { onSuccess: onClose });
      }}
      onClose={onClose}
    >
      <TextInput
        label={collaborator ? "User ID" : "Email address"}
        description={
          collaborator
            ? undefined
            : "The user accepts the invitation by signing in with this verified address. No email is sent. You can also enter the user ID of a user who has signed in."
        }
        data-autofocus
        readOnly={collaborator !== undefined}
        value={user}
        onChange={({ currentTarget }) => setUser(currentTarget.value)}
        error={isMissing ? "Enter an email address or a user ID." : fieldError(error, "path/user")}
      />
      <NativeSelect
        label="Role"
        value={role}
        data={[...roles]}
        onChange={({ currentTarget }) =>
          setRole(roles.find(({ value }) => value === currentTarget.value)?.value ?? role)
        }
        error={fieldError(error, "/role")}
      />
      {collaborator && (
        <TextInput
          label="Alerts go to"
          type="email"
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          error={fieldError(error, "/email")}
        />
      )}
      <Group grow align="flex-start">
        <TextInput
          label="First name"
          value={firstName}
          onChange={({ currentTarget }) => setFirstName(currentTarget.value)}
          error={fieldError(error, "/firstName")}
        />
        <TextInput
          label="Last name"
          value={lastName}
          onChange={({ currentTarget }) => setLastName(currentTarget.value)}
          error={fieldError(error, "/lastName")}
        />
      </Group>
      <Checkbox.Group label="Alerts" value={chosen} onChange={setChosen}>
        {alerts.map(({ name, label }) => (
          <Checkbox key={name} value={name} label={label} mt="xs" />
        ))}
      </Checkbox.Group>
    </FormDialog>
  );
};

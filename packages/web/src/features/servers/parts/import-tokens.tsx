/** @module A server that wants a sign-in: store tokens that were obtained elsewhere. */
import type { ProjectServer } from "@fettle/contract/servers";
import { shortFieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import { importTokens } from "../queries.ts";

export function ImportTokens({ server, onImported }: { server: ProjectServer; onImported: () => void }) {
  const save = useAction(
    (values: FormData) =>
      importTokens({ projectId: server.projectId, serverId: server.id }, bodyOf(values, server)),
    () => {
      toast("Tokens stored");
      onImported();
    },
  );
  return (
    <div data-testid="state" data-state="oauth-required">
      <Form label="Store tokens" errors={shortFieldErrors(save.failure)} onSubmit={save.run}>
        <Panel
          title="Or store tokens you have"
          about="Obtained elsewhere, such as by the command line. They are stored encrypted and sent only to this address."
          footer={
            <>
              <span className="break-all">For {server.url}</span>
              <SubmitButton busy={save.busy}>Store and try again</SubmitButton>
            </>
          }
        >
          <div className="grid gap-4 sm:grid-cols-2">
            <Secret label="Access token" name="access_token" required />
            <Secret label="Refresh token" name="refresh_token" />
            <Field label="Expires in seconds" name="expires_in" optional>
              {(control) => <Input {...control} type="number" min={1} />}
            </Field>
            <Field
              label="Authorization server"
              name="authorizationServerUrl"
              optional
              hint="Needed to refresh: tokens are never refreshed anywhere else."
            >
              {(control) => (
                <Input {...control} type="url" autoComplete="off" placeholder="https://auth.example.com" />
              )}
            </Field>
            <Field label="Client id" name="clientId" optional hint="Needed to refresh.">
              {(control) => <Input {...control} autoComplete="off" />}
            </Field>
            <Secret label="Client secret" name="clientSecret" />
          </div>
          <div className="mt-4">
            <FormFailure failure={save.failure} />
          </div>
        </Panel>
      </Form>
    </div>
  );
}

function Secret({ label, name, required = false }: { label: string; name: string; required?: boolean }) {
  return (
    <Field label={label} name={name} optional={!required}>
      {(control) => <Input {...control} type="password" autoComplete="off" required={required} />}
    </Field>
  );
}

function bodyOf(values: FormData, server: ProjectServer) {
  const said = (name: string) => String(values.get(name) ?? "").trim();
  const [refresh, expires, issuer, clientId, clientSecret] = [
    said("refresh_token"),
    said("expires_in"),
    said("authorizationServerUrl"),
    said("clientId"),
    said("clientSecret"),
  ];
  return {
    serverUrl: server.url ?? "",
    ...(issuer && { authorizationServerUrl: issuer }),
    ...(clientId && { clientInformation: { clientId, ...(clientSecret && { clientSecret }) } }),
    tokens: {
      access_token: said("access_token"),
      ...(refresh && { refresh_token: refresh }),
      ...(expires && { expires_in: Number(expires) }),
    },
  };
}

/** @module What a page of the inspector shows that was not opened from the terminal. */
import { must } from "@fettle/contract/formats";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { failureOf } from "../api/failure.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";

/** Resolves once a code was taken. */
export function showDoor(exchange: (code: string) => Promise<void>): Promise<void> {
  const place = document.createElement("div");
  const old = must(document.getElementById("root"), "a place for the pages");
  old.before(place);
  old.hidden = true;
  const root = createRoot(place);
  return new Promise((resolve) => {
    root.render(
      <Door
        onCode={async (code) => {
          await exchange(code);
          root.unmount();
          place.remove();
          old.hidden = false;
          resolve();
        }}
      />,
    );
  });
}

function Door({ onCode }: { onCode: (code: string) => Promise<void> }) {
  const [text, setText] = useState("");
  const [failure, setFailure] = useState<string>();
  const submit = () =>
    onCode(new URLSearchParams(text.split("#").at(-1)).get("k") ?? text.trim()).catch((error: unknown) =>
      setFailure(failureOf(error).message),
    );
  return (
    <main className="mx-auto grid max-w-md gap-4 px-6 py-20">
      <h1 className="font-semibold text-2xl">Open the inspector from your terminal</h1>
      <p className="text-soft">
        Nobody else on this machine gets in, so a page needs a code. This prints an address that brings one:
      </p>
      <pre className="rounded-control border border-line bg-canvas px-3 py-2 font-mono text-sm">
        fettle inspector open
      </pre>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field label="Or paste that address here">
          {(control) => (
            <Input
              {...control}
              value={text}
              autoComplete="off"
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
        {failure !== undefined && (
          <p role="alert" className="text-bad text-sm">
            {failure}
          </p>
        )}
        <Button look="primary" type="submit">
          Enter
        </Button>
      </form>
    </main>
  );
}

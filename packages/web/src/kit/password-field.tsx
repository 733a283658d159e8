/** @module A new password: long rather than clever, and it can be looked at while it is typed. */
import { accountLimits } from "@fettle/contract/core";
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { Field } from "../ui/field.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Input } from "../ui/input.tsx";

const { min, max } = accountLimits.passwordLength;

export function PasswordField({ label, name }: { label: string; name: string }) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field
      label={label}
      name={name}
      hint={`At least ${min} characters. A few unrelated words make a good one.`}
    >
      {(control) => (
        <div className="relative">
          <Input
            {...control}
            type={shown ? "text" : "password"}
            required
            minLength={min}
            maxLength={max}
            autoComplete="new-password"
            className="pr-10"
          />
          <IconButton
            label={shown ? "Hide password" : "Show password"}
            onClick={() => setShown(!shown)}
            className="absolute top-0 right-0"
          >
            <Icon aria-hidden="true" className="size-4" />
          </IconButton>
        </div>
      )}
    </Field>
  );
}

/** @module A form that checks itself before it is sent: each fault is said at its field, in plain words, and the first one gets the focus. */
import {
  createContext,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useRef,
  useState,
} from "react";

const Errors = createContext<Record<string, string>>({});

/** The fault of a field, by its name. */
export function useFieldError(name: string | undefined): string | undefined {
  const errors = useContext(Errors);
  return name === undefined ? undefined : errors[name];
}

export interface FormProps {
  /** Faults the service found, by field name. */
  errors?: Record<string, string>;
  onSubmit: (values: FormData) => void;
  /** Something was typed or chosen. */
  onInput?: () => void;
  className?: string;
  /** Names the form for those who cannot see the heading above it. */
  label?: string;
  children: ReactNode;
}

export function Form({ errors = {}, onSubmit, onInput, className, label, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [faults, setFaults] = useState<Record<string, string>>({});

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { currentTarget: own } = event;
    const found = faultsOf(own);
    setFaults(found.messages);
    if (found.first) found.first.focus();
    else onSubmit(new FormData(own));
  };
  const submitByKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.current?.requestSubmit();
  };
  const forget = (event: FormEvent) => {
    onInput?.();
    const name = (event.target as HTMLInputElement).name;
    if (faults[name]) setFaults(({ [name]: _, ...others }) => others);
  };
  return (
    <form
      ref={form}
      noValidate
      aria-label={label}
      onSubmit={submit}
      onKeyDown={submitByKey}
      onInput={forget}
      className={className}
    >
      <Errors value={{ ...errors, ...faults }}>{children}</Errors>
    </form>
  );
}

function faultsOf(form: HTMLFormElement): { messages: Record<string, string>; first: HTMLElement | null } {
  const messages: Record<string, string> = {};
  let first: HTMLElement | null = null;
  for (const control of form.elements) {
    if (
      !(
        control instanceof HTMLInputElement ||
        control instanceof HTMLTextAreaElement ||
        control instanceof HTMLSelectElement
      )
    ) {
      continue;
    }
    if (control.name === "" || control.validity.valid) continue;
    messages[control.name] = faultOf(control);
    first ??= control;
  }
  return { messages, first };
}

function faultOf(control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement): string {
  const { validity } = control;
  if (validity.customError) return control.validationMessage;
  if (validity.valueMissing) return "Fill this in.";
  if (validity.tooShort && "minLength" in control) return `Use at least ${control.minLength} characters.`;
  if (validity.typeMismatch && control.type === "email")
    return "Write a whole email address, such as ana@example.com.";
  return control.validationMessage;
}

/** @module What the open page knows beyond its address and its command in the terminal needs: the server's address, the tool, its arguments. */
import { useEffect } from "react";
import { createStore } from "../lib/store.ts";

type Facts = Readonly<Record<string, string>>;

export const commandFacts = createStore<Facts>({});

/**
 * Tells them for as long as the component is there. What is not known yet is left out.
 *
 * @example
 * useCommandFacts({ address: server.url, tool: tool.name });
 */
export function useCommandFacts(facts: Readonly<Record<string, string | null | undefined>>): void {
  const told = JSON.stringify(Object.entries(facts).filter(([, value]) => value != null));
  useEffect(() => {
    const own = JSON.parse(told) as [string, string][];
    commandFacts.set({ ...commandFacts.get(), ...Object.fromEntries(own) });
    return () => {
      const names = own.map(([name]) => name);
      const others = Object.entries(commandFacts.get()).filter(([name]) => !names.includes(name));
      commandFacts.set(Object.fromEntries(others));
    };
  }, [told]);
}

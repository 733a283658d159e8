/**
 * @module Regular expressions written by a server, evaluated in time that grows with pattern times text and no further: all
 * ways to match are followed at once, so `^(a+)+$` costs no more than `^a+$`. Never hand such a pattern to `RegExp`.
 */
import { type PatternNode, parsePattern, UnsupportedPattern } from "./parse-pattern.ts";

/** Steps that one judgement may take over all its patterns; a fraction of a second. */
const mostSteps = 2_000_000;
const longestPattern = 10_000;
const mostInstructions = 50_000;

export interface StepBudget {
  left: number;
}

export const stepBudget = (): StepBudget => ({ left: mostSteps });

export type LinearPattern =
  | { kind: "usable"; test(text: string, budget?: StepBudget): boolean | "out of steps" }
  /** `reason` follows "because it". */
  | { kind: "unusable"; reason: string };

/**
 * @example
 * const digits = linearPattern("^\\d+$");
 * digits.kind === "usable" && digits.test("42"); // true
 */
export function linearPattern(source: string): LinearPattern {
  if (source.length > longestPattern) return { kind: "unusable", reason: "is too long" };
  // JSON Schema asks for the Unicode flag; what only older engines accept (`\-`) is read as they read it.
  const flags = compiles(source, "u") ? "u" : "";
  if (flags === "" && !compiles(source, flags))
    return { kind: "unusable", reason: "is not a regular expression of ECMAScript" };
  try {
    const program = assemble(parsePattern(source, flags), flags);
    return {
      kind: "usable",
      test: (text, budget = stepBudget()) => run(program, text, flags === "u", budget),
    };
  } catch (error) {
    if (error instanceof UnsupportedPattern) return { kind: "unusable", reason: error.message };
    throw error;
  }
}

/** Compiling reads the pattern once; only running it can take forever. */
function compiles(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) !== undefined;
  } catch {
    return false;
  }
}

type Instruction =
  | { kind: "one"; fits: (character: string) => boolean }
  | { kind: "assertion"; at: "start" | "end" | "boundary" | "inside" }
  | { kind: "either"; targets: number[] }
  | { kind: "match" };

function assemble(root: PatternNode, flags: string): Instruction[] {
  const program: Instruction[] = [];
  const known = new Map<string, (character: string) => boolean>();
  const add = <I extends Instruction>(instruction: I): I => {
    if (program.length >= mostInstructions) throw new UnsupportedPattern("counts too high");
    program.push(instruction);
    return instruction;
  };
  const either = (...targets: number[]) => add({ kind: "either" as const, targets });
  const emit = (node: PatternNode): void => {
    switch (node.kind) {
      case "one": {
        const fits = known.get(node.source) ?? fitsOne(node.source, flags);
        known.set(node.source, fits);
        add({ kind: "one", fits });
        return;
      }
      case "assertion":
        add(node);
        return;
      case "sequence":
        for (const part of node.parts) emit(part);
        return;
      case "choice": {
        const start = either();
        const ends = node.options.map((option) => {
          start.targets.push(program.length);
          emit(option);
          return either();
        });
        for (const end of ends) end.targets.push(program.length);
        return;
      }
      case "repeat":
        repeat(node);
    }
  };
  const repeat = ({ part, least, most }: Extract<PatternNode, { kind: "repeat" }>) => {
    for (let count = 0; count < least; count += 1) {
      const before = program.length;
      emit(part);
      // Nothing to match, however often: counting to a billion would add no instruction and never end.
      if (program.length === before) return;
    }
    if (most === Infinity) {
      const start = program.length;
      const loop = either(start + 1);
      emit(part);
      either(start);
      loop.targets.push(program.length);
      return;
    }
    const exits: Extract<Instruction, { kind: "either" }>[] = [];
    for (let count = least; count < most; count += 1) {
      exits.push(either(program.length + 1));
      emit(part);
    }
    for (const exit of exits) exit.targets.push(program.length);
  };
  emit(root);
  add({ kind: "match" });
  return program;
}

/** Whether one character fits: asked of the platform, whose word on classes, escapes and Unicode properties is the standard's. */
function fitsOne(source: string, flags: string): (character: string) => boolean {
  const shape = new RegExp(`^(?:${source})$`, flags);
  const known = new Int8Array(128);
  return (character) => {
    const code = character.charCodeAt(0);
    if (code >= known.length) return shape.test(character);
    if (known[code] === 0) known[code] = shape.test(character) ? 1 : -1;
    return known[code] === 1;
  };
}

function run(
  program: Instruction[],
  text: string,
  isUnicode: boolean,
  budget: StepBudget,
): boolean | "out of steps" {
  /** When an instruction was last reached: at a position it is followed once. */
  const reachedAt = new Int32Array(program.length).fill(-1);
  const pending: number[] = [];
  const reading: number[] = [];
  let position = 0;
  for (;;) {
    // A match may begin anywhere.
    pending.push(0);
    reading.length = 0;
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (reachedAt[index] === position) continue;
      reachedAt[index] = position;
      if (--budget.left < 0) return "out of steps";
      // Only what is in the program is ever pending; asking at each step would cost as much as the step.
      const instruction = program[index]!;
      if (instruction.kind === "match") return true;
      if (instruction.kind === "one") reading.push(index);
      else if (instruction.kind === "either") for (const target of instruction.targets) pending.push(target);
      else if (holds(instruction.at, text, position)) pending.push(index + 1);
    }
    const code = text.codePointAt(position);
    if (code === undefined) return false;
    const character = isUnicode ? String.fromCodePoint(code) : text.charAt(position);
    for (const index of reading) {
      // As above.
      const instruction = program[index]!;
      if (instruction.kind === "one" && instruction.fits(character)) pending.push(index + 1);
    }
    position += character.length;
  }
}

function holds(at: "start" | "end" | "boundary" | "inside", text: string, position: number): boolean {
  if (at === "start") return position === 0;
  if (at === "end") return position === text.length;
  const isBoundary = isWord(text[position - 1]) !== isWord(text[position]);
  return isBoundary === (at === "boundary");
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}

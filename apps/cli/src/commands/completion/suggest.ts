import { allScopes, roles } from '@centavo/sdk';
import type { Command, Option } from 'commander';
import type { GlobalFlags } from '../../config/settings.js';
import { outputFormats } from '../../ui/printer.js';

/** A possible value of the word under the cursor. */
export interface Suggestion {
  readonly value: string;
  readonly description: string;
}

/** The possible values of the last word of a command line. */
export interface Suggestions {
  /** Values that are known without a request. */
  readonly suggestions: readonly Suggestion[];
  /** The placeholder of the value in the help, such as `account` or `file`. Undefined if `suggestions` has all possible values. */
  readonly wanted: string | undefined;
  /** The part of the last word before the value: `--account=`. */
  readonly prefix: string;
  /** The typed part of the value. */
  readonly typed: string;
  /** The global flags of the line, which select the server whose names are read. */
  readonly flags: GlobalFlags;
}

/**
 * Returns the possible values of the last word of an unfinished command line. Unlike commander, the function does not fail if
 * words are missing or invalid.
 *
 * @param words the line without the program's name; the last word is under the cursor and may be empty
 */
export function suggest(program: Command, words: readonly string[]): Suggestions {
  const reading = readWords(program, words.slice(0, -1));
  const { command, pending, flags } = reading;
  const last = words.at(-1) ?? '';
  const nothing = { suggestions: [], wanted: undefined, prefix: '', typed: last, flags };
  if (pending !== undefined) return { ...nothing, ...valuesOf(pending) };
  if (!reading.isAfterFlags && last.startsWith('-')) {
    const [, name = last, typed] = /^(--[^=]+)=(.*)$/s.exec(last) ?? [];
    if (typed === undefined) return { ...nothing, suggestions: flagsOf(program, command) };
    const option = findOption(program, command, name);
    return option === undefined ? nothing : { ...nothing, ...valuesOf(option), prefix: `${name}=`, typed };
  }
  const commands = visibleCommands(command);
  if (commands.length > 0) return { ...nothing, suggestions: commands };
  const { registeredArguments } = command;
  const argument = registeredArguments[reading.argumentsCount] ?? registeredArguments.find(({ variadic }) => variadic);
  if (argument === undefined) return nothing;
  if (argument.argChoices !== undefined) return { ...nothing, suggestions: toSuggestions(argument.argChoices) };
  return { ...nothing, ...valuesNamed(argument.name()) };
}

interface Reading {
  readonly command: Command;
  readonly argumentsCount: number;
  /** The option whose value is the next word. */
  readonly pending: Option | undefined;
  /** Whether the line contains `--`. No word after it is a flag. */
  readonly isAfterFlags: boolean;
  readonly flags: GlobalFlags;
}

function readWords(program: Command, words: readonly string[]): Reading {
  let command = program;
  let argumentsCount = 0;
  let pending: Option | undefined;
  let isAfterFlags = false;
  const flags: Record<string, string> = {};
  for (const word of words) {
    if (pending !== undefined) {
      if (program.options.includes(pending)) flags[pending.attributeName()] = word;
      pending = undefined;
    } else if (!isAfterFlags && word === '--') isAfterFlags = true;
    else if (!isAfterFlags && word.startsWith('-') && word !== '-') {
      const [name = '', ...value] = word.split('=');
      const option = findOption(program, command, name);
      if (option === undefined || !takesValue(option)) continue;
      if (value.length === 0) pending = option;
      else if (program.options.includes(option)) flags[option.attributeName()] = value.join('=');
    } else {
      const next = argumentsCount === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (next === undefined) argumentsCount += 1;
      else command = next;
    }
  }
  return { command, argumentsCount, pending, isAfterFlags, flags };
}

function findOption(program: Command, command: Command, name: string): Option | undefined {
  return [...command.options, ...program.options].find(({ long, short }) => name === long || name === short);
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

function flagsOf(program: Command, command: Command): readonly Suggestion[] {
  const options = command === program ? program.options : [...command.options, ...program.options];
  return options
    .filter(({ hidden, long }) => !hidden && long !== undefined)
    .map(({ long, description }) => ({ value: long ?? '', description }));
}

function visibleCommands(command: Command): readonly Suggestion[] {
  if (command.commands.length === 0) return [];
  const visible = command.createHelp().visibleCommands(command);
  return visible.map((one) => ({ value: one.name(), description: one.summary() || one.description() }));
}

function valuesOf(option: Option): Pick<Suggestions, 'suggestions' | 'wanted'> {
  if (option.argChoices !== undefined) return { suggestions: toSuggestions(option.argChoices), wanted: undefined };
  if (option.long === '--output') return { suggestions: toSuggestions(outputFormats), wanted: undefined };
  return valuesNamed(/[<[]([\w-]+)/.exec(option.flags)?.[1] ?? '');
}

/** Returns the values of an argument, given its name in the help, such as `scope`. */
function valuesNamed(name: string): Pick<Suggestions, 'suggestions' | 'wanted'> {
  const words = { scope: allScopes, role: roles }[name];
  return words === undefined
    ? { suggestions: [], wanted: name }
    : { suggestions: toSuggestions(words), wanted: undefined };
}

function toSuggestions(values: readonly string[]): readonly Suggestion[] {
  return values.map((value) => ({ value, description: '' }));
}

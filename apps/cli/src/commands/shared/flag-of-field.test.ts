import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { composeProgram } from '../../run.js';
import { flagOfField } from './explain-refusal.js';

const program = composeProgram({ io: { stdout: {}, stderr: {} } as never, exitCode: 0 });

function commandOf(line: string): Command {
  return line
    .split(' ')
    .reduce<Command>((noun, word) => noun.commands.find((command) => command.name() === word) ?? noun, program);
}

it.each([
  ['movements add', 'amountDecimal', '--amount'],
  ['movements add', 'accountId', '--account'],
  ['movements add', 'occurredOn', '--occurred-on'],
  ['movements add', 'currencyCode', '--currency'],
  ['movements add', 'merchantName', '--merchant-name'],
  ['movements list', 'query.limit', '--limit'],
  ['movements list', 'query.categoryIds', '--category'],
  ['transfers add', 'fromAccountId', '--from-account'],
  ['accounts create', 'openingBalanceDecimal', '--opening-balance'],
  ['budgets create', 'lines.0.plannedDecimal', '--line'],
  ['budgets add-line', 'plannedDecimal', '--planned'],
  ['keys create', 'scopes.0', '--scope'],
  ['keys create', 'access.trackerIds.0', '--for-tracker'],
  ['keys create', 'expiresAt', '--expires-in'],
  ['keys create', 'name', '<name>'],
  ['members add', 'email', '<email>'],
  ['movements add', 'source', 'source'],
  ['movements add', 'header.If-Match', 'header.If-Match'],
  ['movements add', '', 'body'],
])('in "%s", %s was typed as %s', (line, path, typed) => {
  expect(flagOfField(path, commandOf(line))).toBe(typed);
});

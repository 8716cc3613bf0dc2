import { readFile } from 'node:fs/promises';
import type { AddBudgetLineInput, Category, CreateBudgetInput, FinancialClient } from '@centavo/sdk';
import { UsageError } from '../../errors.js';
import type { InputStream } from '../../io.js';
import { chooseByName } from '../shared/choose-by-name.js';
import { looksLikeCategoryId } from '../shared/resolve-id.js';

/** A budget line from the flags, such as `--line Groceries=400` or `--line Salary=2000:income`. */
export interface FlagLine {
  readonly category: string;
  readonly plannedDecimal: string;
  readonly type: string | undefined;
}

/**
 * Parses `CATEGORY=AMOUNT`, optionally followed by `:expense` or `:income`. The last `=` separates category and amount,
 * so a category may contain `=`.
 * @throws UsageError (exit 2) when the text has another form
 */
export function parseLine(text: string): FlagLine {
  const parts = /^(.+)=([^=:]+)(?::([a-z]+))?$/s.exec(text.trim());
  const [, category = '', plannedDecimal = '', type] = parts ?? [];
  if (parts !== null && (type === undefined || type === 'expense' || type === 'income')) {
    return { category: category.trim(), plannedDecimal: plannedDecimal.trim(), type };
  }
  throw new UsageError(`--line "${text}" is not a budget line.`, 'Write it as Groceries=400, or Salary=2000:income.');
}

/**
 * Reads a budget from a file. The file contains the JSON body of `POST /budgets`, but the budget lines may have category names
 * instead of ids.
 * @param path the path of the file, or `-` for standard input
 * @throws UsageError (exit 2) when the file cannot be read, or is not a JSON object
 */
export async function readPlanFile(path: string, stdin: InputStream): Promise<Partial<CreateBudgetInput>> {
  const name = path === '-' ? 'Standard input' : path;
  const text = path === '-' ? await readWhole(stdin) : await readText(path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${name} is not JSON.`, planExample);
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isObject) return value as Partial<CreateBudgetInput>;
  throw new UsageError(`${name} is not a JSON object.`, planExample);
}

/**
 * Returns the lines with the ids of their categories. A line from the flags without a type becomes an income if its
 * category is given by name and is for incomes only.
 * @throws UnknownNameError (exit 5) or UsageError (exit 2), as `chooseByName` does
 */
export async function resolveLines(
  client: FinancialClient,
  { flagLines, fileLines }: { flagLines: readonly FlagLine[]; fileLines: readonly AddBudgetLineInput[] },
): Promise<AddBudgetLineInput[]> {
  const wanted = [...fileLines.map((line) => line.categoryId), ...flagLines.map((line) => line.category)];
  // If a `categoryId` in the file is not a string, it is sent unchanged, and the API rejects it.
  const hasName = wanted.some((category) => typeof category === 'string' && !looksLikeCategoryId(category));
  const categories: readonly Category[] = hasName ? (await client.categories.list()).data : [];
  const find = (category: string) =>
    typeof category !== 'string' || looksLikeCategoryId(category)
      ? { id: category, kind: 'any' as const }
      : chooseByName({ noun: 'category', wanted: category, records: categories });
  return [
    ...fileLines.map((line) => ({ ...line, categoryId: find(line.categoryId).id })),
    ...flagLines.map(({ category, plannedDecimal, type }) => {
      const { id, kind } = find(category);
      return {
        categoryId: id,
        plannedDecimal,
        type: (type ?? (kind === 'income' ? 'income' : undefined)) as AddBudgetLineInput['type'],
      };
    }),
  ];
}

const planExample =
  'Use an object such as {"name":"May","mode":"tracking","lines":[{"categoryId":"Groceries","plannedDecimal":"400"}]}.';

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be read (${error.code}).`);
  });
}

async function readWhole(stdin: InputStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

import * as reader from '@centavo/statement-reader';
import { UsageError } from '../errors.js';

/**
 * Opens a statement. All refusals of the reader become usage errors here, those of the opened statement included.
 * @throws UsageError (exit 2) if the statement cannot be read as the flags say
 */
export async function openStatement(
  request: Parameters<typeof reader.openStatement>[0],
): Promise<reader.OpenedStatement> {
  const statement = await refusing(() => reader.openStatement(request));
  const { reading } = statement;
  const save = reading?.save?.bind(reading);
  return {
    ...statement,
    rows: () => refusingRows(statement.rows()),
    reading: reading === null || save === undefined ? reading : { ...reading, save: () => refusing(save) },
  };
}

async function refusing<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw toUsageError(error);
  }
}

async function* refusingRows(rows: AsyncIterable<reader.StatementRow>): AsyncGenerator<reader.StatementRow> {
  try {
    yield* rows;
  } catch (error) {
    throw toUsageError(error);
  }
}

function toUsageError(error: unknown): unknown {
  return error instanceof reader.StatementError ? new UsageError(error.message, error.remedy) : error;
}

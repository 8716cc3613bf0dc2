/** One of the answers to the question of a refusal. The file can be opened with it to find its other questions. */
export interface PossibleAnswer {
  readonly dateFormat?: string;
  readonly decimalSeparator?: '.' | ',';
  readonly minusMeans?: 'expense' | 'income';
  readonly expenseWords?: readonly string[];
  readonly incomeWords?: readonly string[];
}

/** A refusal to read a statement. The message says what is wrong with the file or the options, the remedy what to do. */
export class StatementError extends Error {
  readonly remedy: string | undefined;
  /** An option that ends the refusal. It may be the wrong one, so nothing may be recorded with it. */
  readonly possibleAnswer: PossibleAnswer | undefined;

  constructor(message: string, remedy?: string, possibleAnswer?: PossibleAnswer) {
    super(message);
    this.name = 'StatementError';
    this.remedy = remedy;
    this.possibleAnswer = possibleAnswer;
  }
}

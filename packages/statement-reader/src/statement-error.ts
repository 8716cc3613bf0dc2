/**
 * Values for the options that the remedy of an error names. The error does not occur with these values, so the caller can open
 * the file with them to find further errors.
 */
export interface PossibleAnswer {
  readonly dateFormat?: string;
  readonly decimalSeparator?: '.' | ',';
  readonly minusMeans?: 'expense' | 'income';
  readonly expenseWords?: readonly string[];
  readonly incomeWords?: readonly string[];
}

/**
 * Thrown if a statement cannot be read, or an option is not valid. The message says what is wrong; the remedy says what to
 * do.
 */
export class StatementError extends Error {
  readonly remedy: string | undefined;
  /** Options that avoid this error. Their values may be wrong, so do not record rows that were read with them. */
  readonly possibleAnswer: PossibleAnswer | undefined;

  constructor(message: string, remedy?: string, possibleAnswer?: PossibleAnswer) {
    super(message);
    this.name = 'StatementError';
    this.remedy = remedy;
    this.possibleAnswer = possibleAnswer;
  }
}

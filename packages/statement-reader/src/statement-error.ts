/** A refusal to read a statement. The message says what is wrong with the file or the options, the remedy what to do. */
export class StatementError extends Error {
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.name = 'StatementError';
    this.remedy = remedy;
  }
}

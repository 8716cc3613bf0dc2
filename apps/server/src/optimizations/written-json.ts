/** Data that is already JSON text; the envelope contains it unchanged. The header of `movements-json.ts` has the measurement. */
export class WrittenJson<Data> {
  readonly text: string;
  /** The type of the data. This property is never set. */
  declare readonly data: Data;

  constructor(text: string) {
    this.text = text;
  }
}
